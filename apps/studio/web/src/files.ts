/** Opening, dropping, saving. */

import { endingOf, freeAsset, hashOf, meshEndings, safeName } from './assets';
import { isObject, type Json, type JsonObject } from './document/json';
import { addObject, filesOf, objectsOf, primitives, uniqueName, type Content } from './document/scene';
import { RequestError } from './link/connection';
import type { Session } from './link/session';
import { ask, showDialog } from './panels/dialog';
import { h } from './panels/dom';
import type { Store } from './store';
import type { Studio } from './studio';

export class Files {
  constructor(
    private readonly studio: Studio,
    private readonly session: Session,
    private readonly store: Store | null,
  ) {}

  async openDemo(name: string): Promise<void> {
    const answer = await this.request('demo', { name });
    if (answer) await this.replace(answer.document as JsonObject, `${name}.json`, null);
  }

  async openScene(path: string): Promise<void> {
    const answer = await this.request('open', { path });
    if (answer) await this.replace(answer.document as JsonObject, path, String(answer.revision));
  }

  async scenes(): Promise<string[]> {
    const answer = await this.request('scenes', {});
    return (answer?.scenes as string[] | undefined) ?? [];
  }

  /** A ball above a floor: what every scene begins with. */
  newScene(): void {
    const scene: JsonObject = {
      knead: 1,
      frames: [1, 48],
      fps: 24,
      objects: [
        { name: 'sphere', mesh: primitives.sphere, transform: { translate: [0, 0.7, 0] } },
        { name: 'floor', mesh: primitives.grid, rigid: true },
      ],
    };
    void this.replace(scene, null, null);
  }

  private async replace(scene: JsonObject, path: string | null, revision: string | null): Promise<void> {
    if (this.studio.changed && objectsOf(this.studio.scene).length > 0) {
      const way = await ask('Unsaved changes', 'The scene has changes that are not saved.', [
        { value: 'open', text: 'Open without saving' },
        { value: 'save', text: 'Save first', main: true },
      ]);
      if (way === null || (way === 'save' && !(await this.save()))) return;
    }
    this.studio.open(scene, path, revision);
  }

  /** Files that were dropped or chosen: a scene is opened, meshes become objects. */
  async take(list: File[]): Promise<void> {
    for (const file of list) {
      const ending = endingOf(file.name);
      const limit = this.studio.hello.value?.limits.asset_bytes ?? Infinity;
      if (ending === '.json') await this.takeScene(file);
      else if (!meshEndings.includes(ending))
        this.studio.tell(`${file.name}: expected one of ${meshEndings.join(' ')} or a scene, .json.`, 'error');
      else if (file.size > limit)
        this.studio.tell(`${file.name} has ${file.size} bytes, at most ${limit} can be taken.`, 'error');
      else await this.takeMesh(file);
    }
  }

  private async takeScene(file: File): Promise<void> {
    try {
      const scene = JSON.parse(await file.text()) as Json;
      if (!isObject(scene)) throw new Error('it is not an object');
      await this.replace(scene, safeName(file.name), null);
    } catch (error) {
      this.studio.tell(`${file.name} is no scene: ${(error as Error).message}.`, 'error');
    }
  }

  private async takeMesh(file: File): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const hash = hashOf(bytes);
    this.studio.blobs.set(hash, bytes);
    await this.store?.saveBlob(hash, bytes);
    const { scene, assets } = this.studio.content.value;
    const asset = freeAsset(file.name, hash, assets, filesOf(scene));
    const name = uniqueName(scene, safeName(file.name).replace(/\.[^.]*$/, ''));
    const content = { scene: addObject(scene, { name, mesh: asset }), assets: { ...assets, [asset]: hash } };
    const refusal = await this.refusal(content);
    if (refusal) {
      this.studio.tell(`${file.name} is not taken: ${refusal.replace(`${asset}: `, '')}.`, 'error');
      return;
    }
    this.studio.editContent(content, `Add ${name}`);
    this.studio.selection.set({ kind: 'object', index: objectsOf(this.studio.scene).length - 1 });
  }

  /** What the server has against a document that was good before; null when it can be read. */
  private async refusal(content: Content): Promise<string | null> {
    if (this.studio.refused.value) return null;
    const { path, revision } = this.studio.file.value;
    try {
      await this.session.delivered();
      await this.session.sendAssets(content);
      await this.session.connection.ask('document', { document: content.scene, ...(revision === null ? {} : { path }) });
      return null;
    } catch (error) {
      // Without a connection it is seen later.
      return error instanceof RequestError ? error.message.replace(`${error.path}: `, '') : null;
    }
  }

  /** Saves where the scene came from; asks for a name when it has none. False: it was not saved. */
  async save(): Promise<boolean> {
    const path = this.studio.file.value.path;
    return path === null ? this.saveAs() : this.write(path, false);
  }

  saveAs(): Promise<boolean> {
    return new Promise((resolve) => {
      let done: Promise<boolean> | null = null;
      const input = h('input', { type: 'text', value: this.studio.file.value.path ?? 'scene.json', required: true, 'aria-label': 'Name of the scene file' });
      const form = h(
        'form',
        { onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          const path = input.value.endsWith('.json') ? input.value : `${input.value}.json`;
          if (path !== this.studio.file.value.path) this.studio.file.patch({ revision: null, assets: {} });
          done = this.write(path, false);
          dialog.close();
        } },
        h('p', { class: 'notes' }, `Below ${this.studio.hello.value?.folder ?? 'the scene’s folder'}`),
        input,
        h('div', { class: 'dialog-buttons' }, h('button', { type: 'submit', class: 'main' }, 'Save')),
      );
      const dialog = showDialog('Save as', form);
      input.select();
      dialog.element.addEventListener('close', () => resolve(done ?? false));
    });
  }

  private async write(path: string, overwrite: boolean): Promise<boolean> {
    const { scene, assets } = this.studio.content.value;
    try {
      await this.session.sendAssets(this.studio.content.value);
      const used = filesOf(scene);
      const answer = await this.session.connection.ask('save', {
        path,
        document: scene,
        assets: Object.keys(assets).filter((name) => used.has(name)),
        saved_assets: this.studio.file.value.assets ?? {},
        revision: this.studio.file.value.revision,
        overwrite,
      });
      const versions = { ...this.studio.file.value.assets, ...(isObject(answer.assets) ? answer.assets : {}) };
      this.studio.file.set({ path: String(answer.path ?? path), revision: String(answer.revision), saved: scene, assets: versions });
      this.studio.tell(`Saved ${path}.`);
      return true;
    } catch (error) {
      if (error instanceof RequestError && error.conflict) return this.resolveConflict(path, error.message);
      this.studio.tell((error as Error).message, 'error');
      return false;
    }
  }

  private async resolveConflict(path: string, message: string): Promise<boolean> {
    const way = await ask('The file has changed', message, [
      { value: 'overwrite', text: 'Overwrite it' },
      { value: 'open', text: 'Open what is on disk' },
      { value: 'other', text: 'Save as …', main: true },
    ]);
    if (way === 'overwrite') return this.write(path, true);
    if (way === 'other') return this.saveAs();
    if (way === 'open') {
      const answer = await this.request('open', { path });
      if (answer) this.studio.open(answer.document as JsonObject, path, String(answer.revision));
    }
    return false;
  }

  private async request(what: string, more: JsonObject): Promise<JsonObject | null> {
    try {
      return await this.session.connection.ask(what, more);
    } catch (error) {
      this.studio.tell((error as Error).message, 'error');
      return null;
    }
  }
}

/** Lets files be dropped anywhere on the page. */
export function acceptDrops(files: Files): void {
  const show = (on: boolean) => document.body.classList.toggle('dropping', on);
  window.addEventListener('dragover', (event) => {
    event.preventDefault();
    show(true);
  });
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) show(false);
  });
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    show(false);
    void files.take([...(event.dataTransfer?.files ?? [])]);
  });
}
