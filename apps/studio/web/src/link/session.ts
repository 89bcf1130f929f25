/**
 * Keeps the server's session like the document on the page. The page says what it wishes to see; one solve is on
 * its way, and when its answer is there the newest wish follows, so that something is seen while a slider moves. One
 * that takes too long is not waited for: the newest wish is sent, and the server leaves the older one. What the server lacks (files, the
 * document, all of it after a restart) goes first. A simulation answers with the frames that it reaches on the way.
 */

import type { Content } from '../document/scene';
import { filesOf } from '../document/scene';
import { ConnectionLost, RequestError, type Connection } from './connection';
import {
  frameOf,
  meshOf,
  type BinaryMessage,
  type ContactReport,
  type Hello,
  type RestMesh,
  type SessionInfo,
  type SolvedFrame,
} from './protocol';

export interface Wish {
  content: Content;
  /** Where the scene is below the server's folder, when it is there: its files are looked for beside it. */
  path: string | null;
  frame: number;
  fields: readonly string[];
}

export interface SessionEvents {
  hello(hello: Hello): void;
  session(info: SessionInfo, meshes: ReadonlyMap<string, RestMesh>): void;
  solved(frame: SolvedFrame, wish: Wish): void;
  measures(frame: number, contacts: ContactReport[]): void;
  /** The document was refused; the last good one stays in force. Null: it is good again. */
  refused(error: { message: string; path: string } | null): void;
  online(online: boolean): void;
  fileChanged(path: string, revision: string): void;
}

export class Session {
  private wish: Wish | null = null;
  private latest: Wish | null = null;
  private onwish: (() => void) | null = null;
  private busy = false;
  private ready = false;
  /** The server's document, as far as it is known. */
  private scene: unknown = null;
  /** The request that brought a document and has heard nothing yet. */
  private carrier: number | null = null;
  private refused: unknown = null;
  private assets = new Map<string, string>();
  private meshes = new Map<string, { version: number | string; mesh: RestMesh }>();
  private info: SessionInfo | null = null;
  private solvedId = { id: 0, frame: 0 };
  private idle: (() => void)[] = [];
  private deliveries: (() => void)[] = [];

  constructor(
    readonly connection: Connection,
    private readonly events: SessionEvents,
    private readonly bytesOf: (hash: string) => Uint8Array | undefined,
    /** Milliseconds that a solve may take before a newer one takes its place. */
    private readonly patience = 1000,
  ) {
    connection.onopen = () => void this.begin();
    connection.onclose = () => {
      this.ready = false;
      this.events.online(false);
    };
    connection.onevent = (event) => {
      if (event.event === 'measures' && event.id === this.solvedId.id)
        this.events.measures(this.solvedId.frame, event.contacts as unknown as ContactReport[]);
      if (event.event === 'file_changed') this.events.fileChanged(String(event.path), String(event.revision));
    };
  }

  /** What the page wants to see now; an older wish that has not been sent is forgotten. */
  show(wish: Wish): void {
    this.wish = this.latest = wish;
    this.onwish?.();
    void this.pump();
  }

  /** Resolves when every wish so far has been answered, so that the server has the document. */
  settled(): Promise<void> {
    if (!this.busy && !this.wish) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** Resolves when the server has the document of the newest wish, or has refused it. */
  delivered(): Promise<void> {
    if ((!this.busy && !this.wish) || this.latest?.content.scene === this.scene) return Promise.resolve();
    return new Promise((resolve) => this.deliveries.push(resolve));
  }

  /** Gives the server the files that it lacks; the count is of those that were sent. */
  async sendAssets(content: Content): Promise<number> {
    const files = filesOf(content.scene);
    let sent = 0;
    for (const [name, hash] of Object.entries(content.assets)) {
      if (!files.has(name) || this.assets.get(name) === hash) continue;
      const bytes = this.bytesOf(hash);
      if (!bytes) continue;
      await this.connection.request('asset', { name, bytes: bytes.byteLength }, { bytes }).answer;
      this.assets.set(name, hash);
      ++sent;
    }
    return sent;
  }

  private async begin(): Promise<void> {
    this.assets.clear();
    this.meshes.clear();
    this.scene = this.refused = this.carrier = null;
    this.info = null;
    try {
      const answer = await this.connection.ask('hello');
      const hello = { demos: [], schema: [], methods: [], presets: [], preset_values: {}, fields: [], ...answer } as unknown as Hello;
      this.ready = true;
      this.events.hello(hello);
      this.events.online(true);
      void this.pump();
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  private async pump(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    while (this.wish && this.ready) {
      const wish = this.wish;
      this.wish = null;
      try {
        // A file that changed under its name must be read again, so the document is sent again.
        if ((await this.sendAssets(wish.content)) > 0) this.scene = this.refused = null;
        await this.orOvertaken(this.solve(wish).catch((error) => this.failed(error, wish)));
      } catch (error) {
        this.failed(error, wish);
      }
    }
    this.busy = false;
    if (this.wish) return;
    for (const resolve of [...this.idle.splice(0), ...this.deliveries.splice(0)]) resolve();
  }

  private failed(error: unknown, wish: Wish): void {
    if (error instanceof ConnectionLost) this.wish ??= this.latest;
    else if (!(error instanceof RequestError)) throw error;
    else if (!error.superseded) {
      this.refused = wish.content.scene;
      this.events.refused({ message: error.message, path: error.path });
    }
  }

  /** Waits for an answer, but not for ever when there is a newer wish. */
  private async orOvertaken(answered: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve, reject) => {
      answered.then(resolve, reject);
      timer = setTimeout(() => {
        this.onwish = resolve;
        if (this.wish) resolve();
      }, this.patience);
    });
    clearTimeout(timer);
    this.onwish = null;
  }

  private async solve(wish: Wish): Promise<void> {
    // Of a document that was refused the server shows the last good one, at any frame.
    const isNew = wish.content.scene !== this.scene && wish.content.scene !== this.refused;
    // Of what a simulation shows on its way all may be left out but the first, which has the document.
    let taking: Promise<void> | null = null;
    const request = this.connection.request(
      'solve',
      {
        frame: wish.frame,
        fields: [...wish.fields],
        ...(isNew ? { document: wish.content.scene, ...(wish.path === null ? {} : { path: wish.path }) } : {}),
      },
      {
        onTheWay: (message) => {
          if (taking) return;
          taking = this.take(message, wish, isNew)
            .catch((error) => this.failed(error, wish))
            .finally(() => (taking = null));
        },
      },
    );
    if (isNew) {
      // Which of two is in force when the second is refused cannot be told.
      if (this.carrier !== null) this.scene = null;
      this.carrier = request.id;
    }
    const answer = await request.answer.catch((error) => {
      if (this.carrier === request.id) this.carrier = null;
      throw error;
    });
    if (!answer.binary) throw new Error('a solve was answered without positions');
    await taking;
    await this.take(answer.binary, wish, isNew);
  }

  private async take(message: BinaryMessage, wish: Wish, isNew: boolean): Promise<void> {
    const frame = frameOf(message);
    if (isNew && message.id === this.carrier) {
      this.scene = wish.content.scene;
      this.carrier = null;
    }
    if (wish.content.scene === this.scene) {
      this.refused = null;
      this.events.refused(null);
    }
    if (this.latest?.content.scene === this.scene) for (const resolve of this.deliveries.splice(0)) resolve();
    if (frame.report.document) await this.takeSession(frame.report.document);
    if (message.id < this.solvedId.id) return;
    this.solvedId = { id: message.id, frame: frame.report.frame };
    this.events.solved(frame, wish);
  }

  private async takeSession(info: SessionInfo): Promise<void> {
    for (const object of info.objects) {
      if (this.meshes.get(object.name)?.version === object.mesh_version) continue;
      const answer = await this.connection.request('mesh', { object: object.name }).answer;
      if (answer.binary) this.meshes.set(object.name, { version: object.mesh_version, mesh: meshOf(answer.binary) });
    }
    const names = new Set(info.objects.map((object) => object.name));
    for (const name of [...this.meshes.keys()]) if (!names.has(name)) this.meshes.delete(name);
    this.info = info;
    this.events.session(info, new Map([...this.meshes].map(([name, { mesh }]) => [name, mesh])));
  }

  get current(): SessionInfo | null {
    return this.info;
  }
}
