/** Puts the page together. */

import './style.css';
import { acceptDrops, Files } from './files';
import { helpDialog, listen, type Shortcut } from './keyboard';
import { Connection, type Socket } from './link/connection';
import type { SolvedFrame } from './link/protocol';
import { Session } from './link/session';
import { exportDialog } from './panels/export_dialog';
import { h } from './panels/dom';
import { inspector } from './panels/inspector';
import { openDialog } from './panels/open_dialog';
import { banner, inputOrOutput, legendView, toast, toolBar, warnings } from './panels/overlays';
import { paintPanel } from './panels/paint_panel';
import { readout } from './panels/readout';
import { scenePanel } from './panels/scene_panel';
import { Timeline } from './panels/timeline';
import { topBar, type Actions } from './panels/top_bar';
import { viewPanel } from './panels/view_panel';
import type { Vector } from './document/painting';
import { objectsOf } from './document/scene';
import { restore, Store } from './store';
import { Studio, type Tool } from './studio';
import { cssColor } from './view/colors';
import { Viewport } from './view/viewport';

declare global {
  interface Window {
    /** For tests and the browser's console: what is drawn, and when the newest of it came. */
    kneadStudio?: {
      positions(object: string): Float32Array | undefined;
      /** How far out in the brush under the pointer each vertex is: below 1 it is touched. */
      brush(object: string): Float32Array | undefined;
      /** Where a point of the scene is in the window. */
      onScreen(point: Vector): [number, number];
      solved(): SolvedFrame | null;
      shownAt(): number;
      /** Resolves when the server has answered all that was asked of it. */
      settled(): Promise<void>;
    };
  }
}

async function openStore(): Promise<Store | null> {
  try {
    return await Store.open();
  } catch {
    return null;
  }
}

function makeSession(studio: Studio): Session {
  const url = new URL('socket', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = window.location.search;
  const connection = new Connection(() => new WebSocket(url) as unknown as Socket);
  return new Session(
    connection,
    {
      hello: (hello) => studio.hello.set(hello),
      session: (info, meshes) => {
        studio.session.set(info);
        studio.meshes.set(meshes);
      },
      solved: (frame, wish) => {
        studio.measures.set(null);
        studio.solved.set(frame);
        studio.computed.set((wish.content.scene === studio.scene && frame.report.simulation?.ranges) || []);
      },
      measures: (_frame, contacts) => studio.measures.set(contacts),
      refused: (error) => studio.refused.set(error),
      online: (online) => studio.online.set(online),
      fileChanged: (path, revision) => {
        if (path === studio.file.value.path && revision !== studio.file.value.revision)
          studio.tell(`${path} was changed on disk, by another tab or program.`, 'warning');
      },
    },
    (hash) => studio.blobs.get(hash),
  );
}

/** Asks the server for what the page wants to see, at every change. */
function follow(studio: Studio, session: Session): void {
  const wish = () => {
    if (objectsOf(studio.scene).length === 0) return;
    const field = studio.shownField();
    const { path, revision } = studio.file.value;
    session.show({
      content: studio.content.value,
      path: revision === null ? null : path,
      frame: studio.frame.value,
      fields: field ? [field] : [],
    });
  };
  let field: string | null = null;
  const whenFieldChanges = () => {
    if (studio.shownField() === field) return;
    field = studio.shownField();
    wish();
  };
  studio.content.on(wish);
  studio.frame.on(wish);
  studio.look.on(whenFieldChanges);
  studio.tool.on(whenFieldChanges);
  studio.brush.on(whenFieldChanges);
  studio.selection.on(whenFieldChanges);
}

async function copyPicture(studio: Studio, viewport: Viewport): Promise<void> {
  const blob = await viewport.stage.picture();
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    studio.tell('The picture is on the clipboard.');
  } catch {
    const url = URL.createObjectURL(blob);
    h('a', { href: url, download: 'knead.png' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    studio.tell('The picture was saved as knead.png.');
  }
}

function makeShortcuts(studio: Studio, viewport: Viewport, timeline: Timeline, actions: Actions): Shortcut[] {
  const tool = (key: string, name: Tool, what: string): Shortcut => ({ keys: [key], what, group: 'Tools', run: () => studio.tool.set(name) });
  const resize = (factor: number) => studio.brush.patch({ radius: studio.brush.value.radius * factor });
  const look = studio.look;
  return [
    tool('w', 'move', 'Move'),
    tool('e', 'rotate', 'Turn'),
    tool('r', 'scale', 'Size'),
    tool('b', 'paint', 'Paint'),
    { keys: ['['], what: 'Smaller brush', group: 'Tools', run: () => resize(1 / 1.2) },
    { keys: [']'], what: 'Larger brush', group: 'Tools', run: () => resize(1.2) },
    { keys: ['Escape'], what: 'Select nothing', group: 'Tools', run: () => studio.selection.set(null) },
    { keys: ['a'], what: 'Input or output', group: 'View', run: () => look.patch({ show: look.value.show === 'input' ? 'output' : 'input' }) },
    { keys: ['g'], what: 'Ghost of the input', group: 'View', run: () => look.patch({ ghost: !look.value.ghost }) },
    { keys: ['x'], what: 'Wireframe', group: 'View', run: () => look.patch({ wireframe: !look.value.wireframe }) },
    { keys: ['c'], what: 'Cut open', group: 'View', run: () => look.patch({ clip: !look.value.clip }) },
    { keys: ['m'], what: 'Matcap or plain', group: 'View', run: () => look.patch({ shading: look.value.shading === 'plain' ? 'matcap' : 'plain' }) },
    { keys: ['f'], what: 'Frame what is selected', group: 'View', run: () => viewport.frameSelected() },
    { keys: ['Shift+f'], what: 'Frame everything', group: 'View', run: () => viewport.frameAll() },
    { keys: ['v'], what: 'The scene’s own view', group: 'View', run: () => viewport.resetView() },
    { keys: [' '], what: 'Play or pause', group: 'Time', run: () => timeline.togglePlay() },
    { keys: ['ArrowLeft'], what: 'Frame before', group: 'Time', run: () => timeline.step(-1) },
    { keys: ['ArrowRight'], what: 'Next frame', group: 'Time', run: () => timeline.step(1) },
    { keys: [','], what: 'Key before', group: 'Time', run: () => timeline.toKey(-1) },
    { keys: ['.'], what: 'Next key', group: 'Time', run: () => timeline.toKey(1) },
    { keys: ['Home'], what: 'First frame', group: 'Time', run: () => timeline.goTo(-Infinity) },
    { keys: ['End'], what: 'Last frame', group: 'Time', run: () => timeline.goTo(Infinity) },
    { keys: ['Delete', 'Backspace'], what: 'Delete the selected key', group: 'Time', run: () => timeline.deleteKey() },
    { keys: ['Ctrl+z'], what: 'Undo', group: 'File', run: () => studio.undo() },
    { keys: ['Ctrl+Shift+z', 'Ctrl+y'], what: 'Redo', group: 'File', run: () => studio.redo() },
    { keys: ['Ctrl+o'], what: 'Open', group: 'File', run: () => actions.open() },
    { keys: ['Ctrl+s'], what: 'Save', group: 'File', run: () => actions.save() },
    { keys: ['Ctrl+Shift+s'], what: 'Save as', group: 'File', run: () => actions.saveAs() },
    { keys: ['Ctrl+e'], what: 'Export', group: 'File', run: () => actions.export() },
    { keys: ['p'], what: 'Copy a picture', group: 'File', run: () => actions.picture() },
    { keys: ['?'], what: 'This list', group: 'File', run: () => actions.help() },
  ];
}

/** What this tab had, else the server's scene, else the choice. */
async function begin(studio: Studio, store: Store | null, files: Files): Promise<void> {
  const own = await store?.load();
  if (own && store) {
    await store.loadBlobs(own, studio.blobs);
    restore(studio, own);
    return;
  }
  const start = async () => {
    const hello = studio.hello.value!;
    if (hello.document) {
      studio.open(hello.document, hello.scene, hello.revision);
      return;
    }
    const left = await store?.latest();
    const goOn = left && store ? () => void store.loadBlobs(left, studio.blobs).then(() => restore(studio, left)) : null;
    await openDialog(studio, files, goOn);
  };
  if (studio.hello.value) return start();
  const stop = studio.hello.on(() => {
    stop();
    void start();
  });
}

async function main(): Promise<void> {
  const studio = new Studio();
  const store = await openStore();
  const session = makeSession(studio);
  const files = new Files(studio, session, store);
  const canvas = h('canvas', { tabindex: 0, 'aria-label': 'View of the scene' });
  const view = h('div', { class: 'viewport' }, canvas);
  const left = h('aside', { class: 'side left', 'aria-label': 'Scene, view and read-out' });
  const right = h('aside', { class: 'side right', 'aria-label': 'Controls' });
  const workspace = h('main', { class: 'workspace' }, left, view, right);
  document.body.append(workspace);

  const viewport = new Viewport(studio, canvas, session, store);
  const timeline = new Timeline(studio);
  const narrow = window.matchMedia('(max-width: 760px)');
  const sides = { left, right };
  const actions: Actions = {
    open: () => void openDialog(studio, files),
    save: () => void files.save(),
    saveAs: () => void files.saveAs(),
    export: () => exportDialog(studio, session),
    picture: () => void copyPicture(studio, viewport),
    help: () => helpDialog(shortcuts),
    toggleSide: (side) => {
      sides[side].toggleAttribute('data-folded');
      if (narrow.matches) sides[side === 'left' ? 'right' : 'left'].toggleAttribute('data-folded', true);
    },
  };
  const shortcuts = makeShortcuts(studio, viewport, timeline, actions);
  const foldWhenNarrow = () => {
    for (const side of [left, right]) side.toggleAttribute('data-folded', narrow.matches);
  };
  narrow.addEventListener('change', foldWhenNarrow);
  foldWhenNarrow();

  const colorOf = (name: string) => cssColor(viewport.colorOf(name));
  document.body.prepend(topBar(studio, actions));
  left.append(scenePanel(studio, colorOf), viewPanel(studio), readout(studio, () => viewport.stage.drawMilliseconds));
  right.append(paintPanel(studio), inspector(studio, colorOf));
  view.append(
    toolBar(studio, () => viewport.frameSelected(), actions.picture),
    inputOrOutput(studio),
    legendView(viewport.legend),
    warnings(studio),
    banner(studio),
    toast(studio),
  );
  document.body.append(timeline.element);

  listen(shortcuts);
  acceptDrops(files);
  follow(studio, session);
  window.kneadStudio = {
    positions: (object) => viewport.positions(object),
    brush: (object) => viewport.brush(object),
    onScreen: (point) => viewport.stage.onScreen(point),
    solved: () => studio.solved.value,
    shownAt: () => viewport.shownAt.value,
    settled: () => session.settled(),
  };
  await begin(studio, store, files);
  store?.follow(studio);
  session.connection.connect();
}

void main();
