import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/document/json';
import { Connection, ConnectionLost, RequestError, type Socket } from '../../src/link/connection';
import type { SolvedFrame } from '../../src/link/protocol';
import { Session, type Wish } from '../../src/link/session';
import { frameMessage, message } from './messages';

class FakeSocket implements Socket {
  binaryType: BinaryType = 'blob';
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  sent: (JsonObject | Uint8Array)[] = [];

  send(data: string | ArrayBuffer | Uint8Array): void {
    this.sent.push(typeof data === 'string' ? (JSON.parse(data) as JsonObject) : (data as Uint8Array));
  }
  close(): void {
    this.onclose?.();
  }
  requests(what?: string): JsonObject[] {
    const all = this.sent.filter((x): x is JsonObject => !(x instanceof Uint8Array));
    return what === undefined ? all : all.filter((request) => request.do === what);
  }
  answer(json: object): void {
    this.onmessage?.({ data: JSON.stringify(json) });
  }
  answerBinary(data: ArrayBuffer): void {
    this.onmessage?.({ data });
  }
}

const settle = () => vi.advanceTimersByTimeAsync(0);
/** How long the session waits for an answer when there is a newer wish, on a clock that only tests move on. */
const patience = 40;
const losePatience = () => vi.advanceTimersByTimeAsync(patience);
const info = { frames: [1, 9], fps: 24, objects: [{ name: 'ball', mesh_version: 1 }], contacts: [] };

let sockets: FakeSocket[];
let waits: (() => void)[];
let connection: Connection;
let session: Session;
let solved: { frame: SolvedFrame; wish: Wish }[];
let refused: (string | null)[];
let online: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  waits = [];
  solved = [];
  refused = [];
  online = [];
  connection = new Connection(
    () => {
      sockets.push(new FakeSocket());
      return sockets[sockets.length - 1];
    },
    (work) => waits.push(work),
  );
  session = new Session(
    connection,
    {
      hello: () => {},
      session: () => {},
      solved: (frame, wish) => solved.push({ frame, wish }),
      measures: () => {},
      refused: (error) => refused.push(error && `${error.path}: ${error.message}`),
      online: (now) => online.push(now),
      fileChanged: () => {},
    },
    (hash) => new TextEncoder().encode(hash),
    patience,
  );
});

afterEach(() => {
  vi.useRealTimers();
});

async function open(): Promise<FakeSocket> {
  connection.connect();
  const socket = sockets[sockets.length - 1];
  socket.onopen?.();
  socket.answer({ id: socket.requests('hello')[0].id, ok: true });
  await settle();
  return socket;
}

async function answerSolve(socket: FakeSocket, index: number, more: object = {}): Promise<void> {
  const request = socket.requests('solve')[index];
  socket.answerBinary(frameMessage(request.id as number, request.frame as number, { ball: [1, 2, 3] }, {}, more));
  await settle();
}

async function answerMesh(socket: FakeSocket): Promise<void> {
  const [request] = socket.requests('mesh').slice(-1);
  socket.answerBinary(
    message(2, request.id as number, {}, [
      { name: 'triangles', object: 'ball', type: 'u32', components: 3, values: [0, 0, 0] },
      { name: 'rest', object: 'ball', type: 'f32', components: 3, values: [0, 0, 0] },
    ]),
  );
  await settle();
}

const content = (value: number, assets: Record<string, string> = {}) => ({
  scene: { objects: [{ name: 'ball', stiffness: value, mesh: 'ball.obj' }] },
  assets,
});

test('while one solve is on its way only the newest wish is kept', async () => {
  const socket = await open();
  const first = content(1);
  session.show({ content: first, frame: 1, path: null, fields: [] });
  await settle();
  for (let frame = 2; frame <= 9; ++frame) session.show({ content: first, frame, path: null, fields: [] });
  expect(socket.requests('solve')).toHaveLength(1);
  await answerSolve(socket, 0, { document: info });
  await answerMesh(socket);
  expect(socket.requests('solve').map((request) => request.frame)).toEqual([1, 9]);
  await answerSolve(socket, 1);
  expect(solved.map(({ wish }) => wish.frame)).toEqual([1, 9]);
});

test('a solve that takes long is overtaken by the newest wish, and by that alone', async () => {
  const socket = await open();
  const first = content(1);
  session.show({ content: first, frame: 1, path: null, fields: [] });
  await losePatience();
  expect(socket.requests('solve')).toHaveLength(1);
  const second = content(2);
  session.show({ content: second, frame: 2, path: null, fields: [] });
  await settle();
  expect(socket.requests('solve')).toHaveLength(2);
  expect(socket.requests('solve')[1]).toMatchObject({ frame: 2, document: second.scene });
  session.show({ content: second, frame: 3, path: null, fields: [] });
  await settle();
  expect(socket.requests('solve')).toHaveLength(2);
  let settled = false;
  void session.settled().then(() => (settled = true));
  socket.answer({ id: socket.requests('solve')[0].id, ok: false, superseded: true });
  await settle();
  await answerSolve(socket, 1);
  expect(settled).toBe(false);
  await answerSolve(socket, 2);
  expect(settled).toBe(true);
  expect(solved.map(({ wish }) => wish.frame)).toEqual([2, 3]);
  expect(refused.filter((text) => text !== null)).toEqual([]);
});

test('a simulation shows what it has reached on its way, and has the document from the first of it on', async () => {
  const socket = await open();
  const first = content(1);
  session.show({ content: first, frame: 9, path: null, fields: [] });
  await settle();
  let delivered = false;
  void session.delivered().then(() => (delivered = true));
  await settle();
  expect(delivered).toBe(false);
  const { id } = socket.requests('solve')[0];
  const reach = async (frame: number, more: object = {}) => {
    socket.answerBinary(frameMessage(id as number, frame, { ball: [1, 2, 3] }, {}, { on_the_way: true, ...more }));
    await settle();
  };
  await reach(1, { document: info });
  await reach(2); // while the mesh is still to come
  expect(delivered).toBe(true);
  await answerMesh(socket);
  await reach(5);
  expect(solved.map(({ frame }) => frame.report.frame)).toEqual([1, 5]);
  await losePatience();
  session.show({ content: first, frame: 3, path: null, fields: [] });
  await settle();
  expect(socket.requests('solve')[1]).not.toHaveProperty('document');
  await reach(6);
  socket.answer({ id, ok: false, superseded: true });
  await answerSolve(socket, 1);
  expect(solved.map(({ frame }) => frame.report.frame)).toEqual([1, 5, 6, 3]);
  expect(socket.requests('mesh')).toHaveLength(1);
});

test('a simulation that gives up on its way can still be gone back in', async () => {
  const socket = await open();
  const first = content(1);
  session.show({ content: first, frame: 9, path: null, fields: [] });
  await settle();
  const { id } = socket.requests('solve')[0];
  socket.answerBinary(frameMessage(id as number, 1, { ball: [1, 2, 3] }, {}, { on_the_way: true, document: info }));
  await settle();
  await answerMesh(socket);
  socket.answer({ id, ok: false, error: 'frame 7: no solution', path: '' });
  await settle();
  session.show({ content: first, frame: 2, path: null, fields: [] });
  await settle();
  expect(socket.requests('solve')[1]).not.toHaveProperty('document');
  await answerSolve(socket, 1);
  expect(refused).toEqual([null, ': frame 7: no solution', null]);
});

test('of two documents on their way to the server it is not known which it has', async () => {
  const socket = await open();
  const good = content(1);
  session.show({ content: good, frame: 1, path: null, fields: [] });
  await settle();
  await answerSolve(socket, 0);
  session.show({ content: content(2), frame: 1, path: null, fields: [] });
  await losePatience();
  session.show({ content: content(-1), frame: 1, path: null, fields: [] });
  await settle();
  socket.answer({ id: socket.requests('solve')[1].id, ok: false, superseded: true });
  socket.answer({ id: socket.requests('solve')[2].id, ok: false, error: 'found -1', path: '' });
  await settle();
  session.show({ content: good, frame: 1, path: null, fields: [] });
  await settle();
  expect(socket.requests('solve')[3]).toMatchObject({ document: good.scene });
});

test('when the connection is lost with two on their way, the newest is asked for again', async () => {
  const socket = await open();
  session.show({ content: content(1), frame: 1, path: null, fields: [] });
  await losePatience();
  session.show({ content: content(2), frame: 2, path: null, fields: [] });
  await settle();
  socket.close();
  await settle();
  waits.shift()!();
  const again = sockets[sockets.length - 1];
  again.onopen?.();
  again.answer({ id: again.requests('hello')[0].id, ok: true });
  await settle();
  expect(again.requests('solve').map((request) => request.frame)).toEqual([2]);
});

test('the document goes along only when it has changed, and a mesh is asked for once', async () => {
  const socket = await open();
  const first = content(1);
  session.show({ content: first, frame: 1, path: null, fields: [] });
  await settle();
  await answerSolve(socket, 0, { document: info });
  await answerMesh(socket);
  session.show({ content: first, frame: 2, path: null, fields: [] });
  await settle();
  await answerSolve(socket, 1);
  session.show({ content: content(2), frame: 2, path: null, fields: ['u'] });
  await settle();
  await answerSolve(socket, 2, { document: info });
  expect(socket.requests('solve').map((request) => 'document' in request)).toEqual([true, false, true]);
  expect(socket.requests('mesh')).toHaveLength(1);
  expect(solved).toHaveLength(3);
});

test('files go before the document that needs them, and only those', async () => {
  const socket = await open();
  session.show({ content: content(1, { 'ball.obj': 'abc', 'unused.csv': 'def' }), frame: 1, path: null, fields: [] });
  await settle();
  expect(socket.requests('asset')).toHaveLength(1);
  expect(socket.sent[socket.sent.length - 1]).toEqual(new TextEncoder().encode('abc'));
  expect(socket.requests('solve')).toHaveLength(0);
  socket.answer({ id: socket.requests('asset')[0].id, ok: true });
  await settle();
  expect(socket.requests('solve')).toHaveLength(1);
});

test('a refused document says where, and the next one is sent whole', async () => {
  const socket = await open();
  session.show({ content: content(-1), frame: 1, path: null, fields: [] });
  await settle();
  socket.answer({ id: socket.requests('solve')[0].id, ok: false, error: 'found -1', path: 'objects[0].stiffness' });
  await settle();
  expect(refused).toEqual(['objects[0].stiffness: found -1']);
  session.show({ content: content(1), frame: 1, path: null, fields: [] });
  await settle();
  expect(socket.requests('solve')[1]).toHaveProperty('document');
});

test('of a refused document the last good one can still be scrubbed', async () => {
  const socket = await open();
  const wrong = content(-1);
  session.show({ content: wrong, frame: 1, path: null, fields: [] });
  await settle();
  socket.answer({ id: socket.requests('solve')[0].id, ok: false, error: 'found -1', path: 'objects[0].stiffness' });
  await settle();
  session.show({ content: wrong, frame: 2, path: null, fields: [] });
  await settle();
  expect(socket.requests('solve')[1]).not.toHaveProperty('document');
  await answerSolve(socket, 1);
  expect(solved.map(({ wish }) => wish.frame)).toEqual([2]);
  expect(refused).toHaveLength(1);
});

test('undoing what was refused ends the complaint', async () => {
  const socket = await open();
  const good = content(1);
  session.show({ content: good, frame: 1, path: null, fields: [] });
  await settle();
  await answerSolve(socket, 0);
  session.show({ content: content(-1), frame: 1, path: null, fields: [] });
  await settle();
  socket.answer({ id: socket.requests('solve')[1].id, ok: false, error: 'found -1', path: '' });
  await settle();
  session.show({ content: good, frame: 1, path: null, fields: [] });
  await settle();
  await answerSolve(socket, 2);
  expect(refused).toEqual([null, ': found -1', null]);
});

test('after a lost connection everything is sent again', async () => {
  const socket = await open();
  const wished = content(1, { 'ball.obj': 'abc' });
  session.show({ content: wished, frame: 3, path: null, fields: [] });
  await settle();
  socket.answer({ id: socket.requests('asset')[0].id, ok: true });
  await settle();
  socket.close();
  await settle();
  expect(online).toEqual([true, false]);
  waits.shift()!();
  const again = sockets[sockets.length - 1];
  again.onopen?.();
  again.answer({ id: again.requests('hello')[0].id, ok: true });
  await settle();
  expect(again.requests('asset')).toHaveLength(1);
  again.answer({ id: again.requests('asset')[0].id, ok: true });
  await settle();
  expect(again.requests('solve')[0]).toMatchObject({ frame: 3, document: wished.scene });
});

test('requests fail in a way that can be told apart', async () => {
  await expect(connection.ask('save')).rejects.toBeInstanceOf(ConnectionLost);
  const socket = await open();
  const refusal = connection.ask('save');
  socket.answer({ id: socket.requests('save')[0].id, ok: false, conflict: true, error: 'changed on disk' });
  await expect(refusal).rejects.toMatchObject({ conflict: true, message: 'changed on disk' });
  const pending = connection.ask('save');
  socket.close();
  await expect(pending).rejects.toBeInstanceOf(ConnectionLost);
  expect(new RequestError({ superseded: true }).superseded).toBe(true);
});

test('progress is told on the way to the answer', async () => {
  const socket = await open();
  const steps: (number | null)[] = [];
  const { id, answer } = connection.request('export', {}, { progress: (part, frame) => steps.push(part, frame) });
  socket.answer({ id, progress: 0.5, frame: 3 });
  socket.answer({ id, ok: true, files: 2 });
  expect((await answer).json.files).toBe(2);
  expect(steps).toEqual([0.5, 3]);
});
