/** Where to begin: a demo, a scene of the folder, a file, or nothing at all. */

import type { Files } from '../files';
import type { Studio } from '../studio';
import { showDialog } from './dialog';
import { h } from './dom';

export async function openDialog(studio: Studio, files: Files, goOn: (() => void) | null = null): Promise<void> {
  const hello = studio.hello.value;
  const demos = h('ul', { class: 'cards', 'aria-label': 'Demos' });
  const scenes = h('ul', { class: 'cards', 'aria-label': 'Scenes in the folder' });
  const pick = h('input', { type: 'file', multiple: true, accept: '.json,.obj,.ply,.glb,.gltf,.stl,.off', 'aria-label': 'Choose files' });
  const dialog = showDialog(
    'Open',
    ...(goOn ? [h('button', { type: 'button', class: 'main', onclick: () => {
      dialog.close();
      goOn();
    } }, 'Go on where you left off')] : []),
    h('h3', {}, 'Demos'),
    demos,
    h('h3', {}, `Scenes in ${hello?.folder ?? 'the folder'}`),
    scenes,
    h('h3', {}, 'Your own'),
    h('p', { class: 'notes' }, 'Drop an OBJ, PLY, GLB or a scene on the page, or choose it here.'),
    h('div', { class: 'dialog-buttons' }, pick, h('button', { type: 'button', onclick: () => {
      dialog.close();
      files.newScene();
    } }, 'New scene')),
  );
  pick.addEventListener('change', () => {
    dialog.close();
    void files.take([...(pick.files ?? [])]);
  });
  const card = (name: string, about: string, open: () => Promise<void>) =>
    h('li', {}, h('button', { type: 'button', class: 'card', onclick: () => {
      dialog.close();
      void open();
    } }, h('b', {}, name), h('span', {}, about)));
  demos.append(...(hello?.demos ?? []).map(({ name, about }) => card(name, about, () => files.openDemo(name))));
  const paths = await files.scenes();
  scenes.append(...paths.map((path) => card(path, '', () => files.openScene(path))));
  if (paths.length === 0) scenes.append(h('li', { class: 'notes' }, 'None yet.'));
}
