/** What the page knows: the document with its history, and what is looked at. Panels and view watch it. */

import { History } from './document/history';
import { get, parsePath, set, type Json, type JsonObject, type Path } from './document/json';
import { mapOf, painted, paintRange, type Axis, type Operation } from './document/painting';
import { contactsOf, emptyScene, framesOf, nameOf, objectsOf, withContacts, type Content } from './document/scene';
import type { ContactReport, Control, Hello, RestMesh, SessionInfo, SolvedFrame } from './link/protocol';
import { boundsOf } from './view/geometry';
import { Signal } from './signal';
import type { Shading } from './view/materials';

export type Selection = { kind: 'object' | 'contact'; index: number } | null;
export type Tool = 'move' | 'rotate' | 'scale' | 'paint';

export interface Look {
  show: 'output' | 'input';
  ghost: boolean;
  wireframe: boolean;
  shading: Shading;
  field: string | null;
  clip: boolean;
  clipAxis: Axis;
  clipFlip: boolean;
  /** Where the plane is between the lower and the upper side of the scene, 0 to 1. */
  clipAt: number;
}

export interface Brush {
  kind: 'local' | 'radial';
  /** The control that is painted, by its path. */
  control: string;
  radius: number;
  falloff: number;
  strength: number;
  value: number;
  operation: Operation;
  distance: 'geodesic' | 'euclidean';
  mirror: Axis | null;
}

export interface OpenFile {
  path: string | null;
  revision: string | null;
  /** The scene as it was last opened or saved. */
  saved: JsonObject;
  /** Versions of the files that were saved beside it. */
  assets?: JsonObject;
}

export interface Message {
  text: string;
  kind: 'info' | 'warning' | 'error';
}

/** What the frame in view says about a contact. */
export interface ToldContact {
  /** Among all contacts; -1 when it is none of them. */
  index: number;
  name: string;
  report: ContactReport;
}

export class Studio {
  readonly history = new History<Content>({ scene: emptyScene, assets: {} });
  readonly content = new Signal<Content>(this.history.state);
  readonly frame = new Signal(1);
  readonly playing = new Signal(false);
  readonly selection = new Signal<Selection>(null);
  readonly tool = new Signal<Tool>('move');
  readonly file = new Signal<OpenFile>({ path: null, revision: null, saved: emptyScene });
  readonly hello = new Signal<Hello | null>(null);
  readonly online = new Signal(false);
  readonly session = new Signal<SessionInfo | null>(null);
  readonly meshes = new Signal<ReadonlyMap<string, RestMesh>>(new Map());
  readonly solved = new Signal<SolvedFrame | null>(null);
  /** First and last, of the frames of a simulation that are computed. */
  readonly computed = new Signal<[number, number][]>([]);
  readonly measures = new Signal<ContactReport[] | null>(null);
  readonly refused = new Signal<{ message: string; path: string } | null>(null);
  readonly message = new Signal<Message | null>(null);
  readonly look = new Signal<Look>({
    show: 'output',
    ghost: false,
    wireframe: false,
    shading: 'matcap',
    field: null,
    clip: false,
    clipAxis: 'z',
    clipFlip: false,
    clipAt: 0.5,
  });
  readonly brush = new Signal<Brush>({
    kind: 'local',
    control: 'stiffness',
    radius: 0.3,
    falloff: 0.6,
    strength: 1,
    value: 1,
    operation: 'set',
    distance: 'geodesic',
    mirror: null,
  });
  /** The bytes of dropped and painted files, by their hash. */
  readonly blobs = new Map<string, Uint8Array>();
  private gestures = 0;

  get scene(): JsonObject {
    return this.content.value.scene;
  }

  /** A name for the changes of one drag. */
  newGesture(): string {
    return `gesture-${++this.gestures}`;
  }

  edit(scene: JsonObject, what: string, gesture: string | null = null): void {
    this.editContent({ ...this.content.value, scene }, what, gesture);
  }

  editContent(content: Content, what: string, gesture: string | null = null): void {
    if (content.scene === this.scene && content.assets === this.content.value.assets) return;
    this.history.apply(content, what, gesture);
    this.takeHistory();
  }

  editObject(index: number, change: (object: JsonObject) => JsonObject, what: string, gesture: string | null = null): void {
    const object = objectsOf(this.scene)[index];
    if (object) this.edit(set(this.scene, ['objects', index], change(object)), what, gesture);
  }

  undo(): void {
    const what = this.history.undoes;
    if (this.history.undo()) this.takeHistory(`Undone: ${what}`);
  }

  redo(): void {
    const what = this.history.redoes;
    if (this.history.redo()) this.takeHistory(`Done again: ${what}`);
  }

  /** Shows the state of the history, and keeps selection and frame within it. */
  takeHistory(told: string | null = null): void {
    if (this.scene !== this.history.state.scene) this.computed.set([]);
    this.content.set(this.history.state);
    const selection = this.selection.value;
    const count =
      selection?.kind === 'object' ? objectsOf(this.scene).length : this.contacts().length;
    if (selection && selection.index >= count) this.selection.set(null);
    const [first, last] = framesOf(this.scene);
    this.frame.set(Math.min(Math.max(this.frame.value, first), last));
    if (told) this.tell(told);
  }

  /** A document from elsewhere takes the place of the present one. */
  open(scene: JsonObject, path: string | null, revision: string | null): void {
    this.playing.set(false);
    this.solved.set(null);
    this.measures.set(null);
    this.selection.set(null);
    this.file.set({ path, revision, saved: scene });
    this.history.reset({ scene, assets: {} });
    this.frame.set(framesOf(scene)[0]);
    this.takeHistory();
    if (objectsOf(scene).length > 0) this.selection.set({ kind: 'object', index: 0 });
  }

  get changed(): boolean {
    return this.scene !== this.file.value.saved;
  }

  tell(text: string, kind: Message['kind'] = 'info'): void {
    this.message.set({ text, kind });
  }

  /** All contacts that are looked at, whether the document lists them or not. */
  contacts(): [string, string][] {
    const listed = contactsOf(this.scene);
    if (listed) return listed.map((contact) => contact.between as [string, string]);
    return this.session.value?.contacts.map((contact) => contact.between) ?? [];
  }

  /** What to call a contact; of folds of one object each has its crease at another joint. */
  contactName(index: number, between: readonly string[] | undefined = this.contacts()[index]): string {
    const joints = get(contactsOf(this.scene)?.[index] ?? {}, ['fold', 'joints']);
    return `${(between ?? []).join(' · ')}${Array.isArray(joints) && joints.length === 3 ? ` at ${joints[1]}` : ''}`;
  }

  /** What the newest frame says about every contact; of a simulation it only knows those that are near. There may be
   * several of the same two objects. */
  reports(): (ContactReport | undefined)[] {
    const known = new Map<string, ContactReport[]>();
    for (const report of this.solved.value?.report.contacts ?? []) {
      const same = known.get(String(report.between));
      if (same) same.push(report);
      else known.set(String(report.between), [report]);
    }
    return this.contacts().map((between) => known.get(String(between))?.shift());
  }

  /** The same without those that it says nothing about, with what was measured since. */
  toldContacts(): ToldContact[] {
    const reports = this.solved.value?.report.contacts ?? [];
    const indices = new Map(this.reports().map((report, index) => [report, index]));
    return reports.map((report, i) => {
      const index = indices.get(report) ?? -1;
      return { index, name: this.contactName(index, report.between), report: { ...report, ...(this.measures.value?.[i] ?? {}) } };
    });
  }

  selectedObject(): { index: number; object: JsonObject } | null {
    const selection = this.selection.value;
    if (selection?.kind !== 'object') return null;
    const object = objectsOf(this.scene)[selection.index];
    return object ? { index: selection.index, object } : null;
  }

  pathOf(control: Control): Path | null {
    const selection = this.selection.value;
    if (control.of === 'scene') return parsePath(control.path);
    if (!selection || selection.kind !== control.of) return null;
    const list = control.of === 'object' ? 'objects' : 'contacts';
    return [list, selection.index, ...parsePath(control.path)];
  }

  /** Changes a value of the document; `undefined` brings its default back. */
  setAt(path: Path, value: Json | undefined, what: string, gesture: string | null = null): void {
    const scene = path[0] === 'contacts' ? withContacts(this.scene, this.contacts()) : this.scene;
    this.edit(set(scene, path, value), what, gesture);
  }

  control(path: string, of: Control['of'] = 'object'): Control | null {
    return this.hello.value?.schema.find((control) => control.path === path && control.of === of) ?? null;
  }

  /** The name of the map that the brush paints on the selected object; null when there is none yet. */
  paintedMap(): string | null {
    const selected = this.selectedObject();
    return selected && mapOf(get(selected.object, parsePath(this.brush.value.control)));
  }

  /** Makes the brush's control of the selected object a painted one, if it is not. */
  beginPainting(gesture: string | null = null): string | null {
    const selected = this.selectedObject();
    const control = this.control(this.brush.value.control);
    if (!selected || !control) return null;
    const path = parsePath(control.path);
    const value = get(selected.object, path);
    const known = mapOf(value);
    if (known) return known;
    const attribute = `${control.path.split('.').pop()}_map`;
    const size = this.sizeOf(nameOf(selected.object));
    const fallback = typeof control.default === 'number' ? control.default : 0.3 * size;
    const range = paintRange(value, this.frame.value, fallback, control.most ?? null);
    this.editObject(
      selected.index,
      (object) => painted(object, path, attribute, range),
      `Paint ${control.path} of ${nameOf(selected.object)}`,
      gesture,
    );
    return attribute;
  }

  /** The field that colours the surfaces; while painting it is the map. */
  shownField(): string | null {
    return this.tool.value === 'paint' ? (this.paintedMap() ?? this.look.value.field) : this.look.value.field;
  }

  /** How large an object is at rest, or everything together. */
  sizeOf(name: string | null = null): number {
    const meshes = [...this.meshes.value].filter(([key]) => name === null || key === name);
    const bounds = boundsOf(meshes.map(([, mesh]) => mesh.rest));
    return bounds ? Math.hypot(...bounds.high.map((h, c) => h - bounds.low[c])) / Math.sqrt(3) : 1;
  }
}
