/** Writes the frame or the animation in any format of `knead run`. */

import { framesOf } from '../document/scene';
import { RequestError } from '../link/connection';
import type { Session } from '../link/session';
import type { Studio } from '../studio';
import { showDialog } from './dialog';
import { choiceGroup, h, newId } from './dom';

const formats = [
  { value: 'obj', text: 'OBJ', title: 'One file an object and frame' },
  { value: 'ply', text: 'PLY', title: 'One file an object and frame, with attributes' },
  { value: 'pc2', text: 'PC2', title: 'A point cache an object' },
  { value: 'glb', text: 'GLB', title: 'glTF with morph targets' },
  { value: 'usda', text: 'USDA', title: 'USD with time samples' },
] as const;
type Format = (typeof formats)[number]['value'];

export function exportDialog(studio: Studio, session: Session): void {
  const [first, last] = framesOf(studio.scene);
  const state = { format: 'obj' as Format, what: 'animation' as 'frame' | 'animation', to: 'download' as 'download' | 'folder' };
  const field = (label: string, input: HTMLElement) => {
    input.id = newId();
    return h('div', { class: 'row field' }, h('label', { for: input.id }, label), input);
  };
  const from = h('input', { type: 'number', value: first });
  const to = h('input', { type: 'number', value: last });
  const step = h('input', { type: 'number', value: 1, min: 0.001, step: 'any' });
  const path = h('input', { type: 'text', value: 'export' });
  const range = h('div', { class: 'fields' }, field('First frame', from), field('Last frame', to), field('Step', step));
  const pathRow = field('Folder, beside the scene', path);
  const format = choiceGroup<Format>('Format', formats, (value) => change({ format: value }));
  const what = choiceGroup<'frame' | 'animation'>('Frames', [
    { value: 'animation', text: 'Animation' },
    { value: 'frame', text: 'This frame' },
  ], (value) => change({ what: value }));
  const where = choiceGroup<'download' | 'folder'>('To', [
    { value: 'download', text: 'Download' },
    { value: 'folder', text: 'Folder' },
  ], (value) => change({ to: value }));
  const change = (part: Partial<typeof state>) => {
    Object.assign(state, part);
    format.show(state.format);
    what.show(state.what);
    where.show(state.to);
    range.hidden = state.what === 'frame';
    pathRow.hidden = state.to === 'download';
  };
  const progress = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the export' });
  const told = h('p', { class: 'export-told', role: 'status' });
  let running: number | null = null;
  const begin = h('button', { type: 'button', class: 'main', onclick: () => void run() }, 'Export');
  const cancel = h('button', { type: 'button', onclick: () => {
    if (running !== null) void session.connection.ask('cancel', { of: running }).catch(() => undefined);
  } }, 'Cancel');
  const show = (isRunning: boolean) => {
    const hadFocus = document.activeElement === begin || document.activeElement === cancel;
    begin.hidden = isRunning;
    cancel.hidden = progress.hidden = !isRunning;
    if (hadFocus) (isRunning ? cancel : begin).focus();
  };

  const run = async () => {
    const frame = studio.frame.value;
    const frames = state.what === 'frame' ? [frame, frame] : [from.valueAsNumber, to.valueAsNumber];
    show(true);
    progress.value = 0;
    told.textContent = 'Beginning …';
    try {
      await session.delivered();
      const request = session.connection.request(
        'export',
        { frames, step: step.valueAsNumber || 1, format: state.format, to: state.to, path: path.value },
        {
          progress: (part, at) => {
            progress.value = part;
            told.textContent = at === null ? `${Math.round(100 * part)} %` : `Frame ${at}, ${Math.round(100 * part)} %`;
          },
        },
      );
      running = request.id;
      const answer = (await request.answer).json;
      if (typeof answer.url === 'string') {
        const link = h('a', { href: answer.url, download: '' }, 'Download again');
        told.replaceChildren('Done. ', link);
        link.click();
      } else told.textContent = `Written to ${String(answer.path)}.`;
    } catch (error) {
      told.textContent = error instanceof RequestError && error.cancelled ? 'Cancelled; only whole files were kept.' : (error as Error).message;
    }
    running = null;
    show(false);
  };

  change({});
  show(false);
  const dialog = showDialog('Export', format.element, what.element, range, where.element, pathRow, progress, told,
    h('div', { class: 'dialog-buttons' }, begin, cancel));
  dialog.element.addEventListener('close', () => {
    if (running !== null) void session.connection.ask('cancel', { of: running }).catch(() => undefined);
  });
}
