/** A socket that answers: requests become promises, and a lost connection comes back by itself. */

import type { JsonObject } from '../document/json';
import { decode, type BinaryMessage } from './protocol';

export interface Answer {
  json: JsonObject;
  binary: BinaryMessage | null;
}

/** A request that was refused. */
export class RequestError extends Error {
  readonly path: string;
  readonly superseded: boolean;
  readonly conflict: boolean;
  readonly cancelled: boolean;

  constructor(answer: JsonObject) {
    super(typeof answer.error === 'string' ? answer.error : 'The server gave no reason.');
    this.path = typeof answer.path === 'string' ? answer.path : '';
    this.superseded = answer.superseded === true;
    this.conflict = answer.conflict === true;
    this.cancelled = answer.cancelled === true;
  }
}

/** The connection went away before the answer came. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection to the server was lost.');
  }
}

/** What Connection needs of a WebSocket; tests give their own. */
export interface Socket {
  binaryType: BinaryType;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(data: string | ArrayBuffer | Uint8Array): void;
  close(): void;
}

interface Pending {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
  progress?: (part: number, frame: number | null) => void;
  onTheWay?: (message: BinaryMessage) => void;
}

export interface Request {
  /** The number of the request, for `cancel`. */
  id: number;
  answer: Promise<Answer>;
}

export class Connection {
  onopen: () => void = () => {};
  onclose: () => void = () => {};
  onevent: (event: JsonObject) => void = () => {};
  private socket: Socket | null = null;
  private pending = new Map<number, Pending>();
  private lastId = 0;
  private wait = 0;
  private ended = false;

  constructor(
    private readonly open: () => Socket,
    private readonly later: (work: () => void, milliseconds: number) => void = (work, ms) => void setTimeout(work, ms),
  ) {}

  connect(): void {
    const socket = this.open();
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.socket = socket;
      this.wait = 0;
      this.onopen();
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = () => this.lost(socket);
  }

  get connected(): boolean {
    return this.socket !== null;
  }

  close(): void {
    this.ended = true;
    this.socket?.close();
  }

  /** Sends one request, followed by its bytes where it has some. */
  request(what: string, more: JsonObject = {}, options: { bytes?: Uint8Array } & Pick<Pending, 'progress' | 'onTheWay'> = {}): Request {
    const id = ++this.lastId;
    const answer = new Promise<Answer>((resolve, reject) => {
      if (!this.socket) {
        reject(new ConnectionLost());
        return;
      }
      this.pending.set(id, { resolve, reject, progress: options.progress, onTheWay: options.onTheWay });
      this.socket.send(JSON.stringify({ id, do: what, ...more }));
      if (options.bytes) this.socket.send(options.bytes);
    });
    return { id, answer };
  }

  async ask(what: string, more: JsonObject = {}): Promise<JsonObject> {
    return (await this.request(what, more).answer).json;
  }

  private receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      const binary = decode(data);
      if (binary.json.on_the_way === true) this.pending.get(binary.id)?.onTheWay?.(binary);
      else this.settle(binary.id, (pending) => pending.resolve({ json: binary.json, binary }));
      return;
    }
    const json = JSON.parse(String(data)) as JsonObject;
    if (typeof json.event === 'string') this.onevent(json);
    else if (typeof json.id !== 'number') return;
    else if (typeof json.progress === 'number')
      this.pending.get(json.id)?.progress?.(json.progress, typeof json.frame === 'number' ? json.frame : null);
    else if (json.ok === true) this.settle(json.id, (pending) => pending.resolve({ json, binary: null }));
    else this.settle(json.id, (pending) => pending.reject(new RequestError(json)));
  }

  private settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    this.pending.delete(id);
    how(pending);
  }

  private lost(socket: Socket): void {
    if (this.socket !== null && this.socket !== socket) return;
    const wasOpen = this.socket !== null;
    this.socket = null;
    const left = [...this.pending.values()];
    this.pending.clear();
    for (const pending of left) pending.reject(new ConnectionLost());
    if (wasOpen) this.onclose();
    if (this.ended) return;
    this.wait = Math.min(this.wait === 0 ? 250 : this.wait * 1.6, 4000);
    this.later(() => this.connect(), this.wait);
  }
}
