/** The picture of the scene: bodies, tools and how they are looked at. */

import { Plane, Vector3, type Object3D } from 'three';
import { isObject } from '../document/json';
import { findObject, findOriginal, nameOf, objectsOf } from '../document/scene';
import type { Session } from '../link/session';
import { Signal } from '../signal';
import type { Store } from '../store';
import type { Studio } from '../studio';
import { DirectionArrow } from './arrow';
import { Body } from './body';
import { paletteColor, widened, type Rgb, type Scale } from './colors';
import { boundsOf, type Bounds } from './geometry';
import { Gizmo } from './gizmo';
import { Painter } from './painter';
import { Stage } from './stage';

export interface Legend {
  label: string;
  scale: Scale;
}

/** Fields whose range is known, so that their colours mean the same in every scene. */
const fixedScales: Record<string, Scale> = { u: { low: 0, high: 1 }, zone: { low: 0, high: 1 } };

/** A pointer that moved less than this between press and release has clicked. */
const clickDistance = 5;

export class Viewport {
  readonly stage: Stage;
  readonly legend = new Signal<Legend | null>(null);
  /** When the newest positions were in the buffers that are drawn. */
  readonly shownAt = new Signal(0);
  private readonly bodies = new Map<string, Body>();
  private readonly gizmo: Gizmo;
  private readonly arrow: DirectionArrow;
  private readonly painter: Painter;
  private scaleOf: { field: string; scale: Scale | null } | null = null;
  private framed: unknown = null;
  private pressed: { x: number; y: number } | null = null;

  constructor(
    private readonly studio: Studio,
    canvas: HTMLCanvasElement,
    session: Session,
    store: Store | null,
  ) {
    this.stage = new Stage(canvas);
    this.gizmo = new Gizmo(studio, this.stage);
    this.arrow = new DirectionArrow(studio, this.stage);
    this.painter = new Painter(studio, this.stage, session, store, (name) => this.bodies.get(name), () => this.surfaces());
    studio.meshes.on(() => this.takeMeshes());
    studio.solved.on(() => this.takeFrame());
    studio.look.on(() => this.takeFrame());
    studio.selection.on(() => this.stage.draw());
    studio.file.on(() => {
      this.framed = null;
    });
    this.stage.onframe = () => this.prepare();
    this.listen(canvas);
  }

  /** The positions that are drawn, for tests and the curious. */
  positions(name: string): Float32Array | undefined {
    return this.bodies.get(name)?.positions;
  }

  brush(name: string): Float32Array | undefined {
    return this.bodies.get(name)?.brushReach;
  }

  frameAll(): void {
    this.stage.frame(this.bounds(), null);
  }

  frameSelected(): void {
    const selected = this.studio.selectedObject();
    const body = selected && this.bodies.get(nameOf(selected.object));
    this.stage.frame(body ? boundsOf([body.positions]) : this.bounds(), null);
  }

  /** As the scene's own `view` has it. */
  resetView(): void {
    const view = isObject(this.studio.scene.view) ? this.studio.scene.view : {};
    const number = (key: string, fallback: number) => (typeof view[key] === 'number' ? (view[key] as number) : fallback);
    this.stage.frame(this.bounds(), {
      azimuth: number('azimuth', 30),
      elevation: number('elevation', 20),
      zoom: number('zoom', 1),
    });
  }

  private bounds(): Bounds | null {
    // A wide floor would push the things on it into the distance.
    const solids = [...this.bodies.values()].filter((body) => !this.isFloor(body));
    return boundsOf((solids.length > 0 ? solids : [...this.bodies.values()]).map((body) => body.positions));
  }

  private isFloor(body: Body): boolean {
    const box = boundsOf([body.mesh.rest]);
    if (!box) return true;
    const size = box.high.map((h, c) => h - box.low[c]).sort((a, b) => a - b);
    return size[0] < 1e-3 * size[2];
  }

  private prepare(): void {
    for (const body of this.bodies.values()) body.prepare();
  }

  private surfaces(): Object3D[] {
    this.prepare();
    return [...this.bodies.values()].map((body) => body.surface);
  }

  private takeMeshes(): void {
    const meshes = this.studio.meshes.value;
    for (const [name, body] of this.bodies) {
      if (meshes.get(name) === body.mesh) continue;
      this.stage.scene.remove(body.group);
      body.dispose();
      this.bodies.delete(name);
    }
    for (const [name, mesh] of meshes) {
      if (this.bodies.has(name)) continue;
      const body = new Body(name, mesh);
      this.bodies.set(name, body);
      this.stage.scene.add(body.group);
    }
  }

  private takeFrame(): void {
    const solved = this.studio.solved.value;
    for (const body of this.bodies.values()) body.group.visible = solved !== null;
    if (!solved) {
      this.scaleOf = null;
      this.stage.draw();
      return;
    }
    const shown = this.studio.look.value.show === 'output' ? solved.after : solved.before;
    this.takeLook();
    for (const [name, body] of this.bodies) {
      const positions = shown.get(name);
      if (positions && positions.length === body.positions.length) body.show(positions, solved.before.get(name));
    }
    this.shownAt.set(performance.now());
    if (this.framed !== this.studio.file.value && this.bodies.size > 0) {
      this.framed = this.studio.file.value;
      this.resetView();
    }
    this.stage.draw();
  }

  private takeLook(): void {
    const look = this.studio.look.value;
    const field = this.studio.shownField();
    const values = (field && this.studio.solved.value?.fields.get(field)) || null;
    const scale = field && values ? this.scaleFor(field, values) : null;
    const plane = look.clip ? this.clipPlane() : null;
    const size = Math.hypot(...this.extentOfAll());
    [...this.bodies.values()].forEach((body, order) => {
      const byField = field !== null;
      if (byField) body.colorBy(values?.get(body.name), scale ?? { low: 0, high: 1 });
      body.dress({
        shading: look.shading,
        color: this.colorOf(body.name),
        byField,
        wireframe: look.wireframe,
        ghost: look.ghost && look.show === 'output',
        plane,
        size,
        order: order + 1,
      });
    });
    this.legend.set(field && scale ? { label: this.labelOf(field), scale } : null);
  }

  private labelOf(field: string): string {
    return this.studio.hello.value?.fields.find((f) => f.name === field)?.label ?? field;
  }

  private scaleFor(field: string, values: Map<string, Float32Array>): Scale | null {
    if (fixedScales[field]) return fixedScales[field];
    const isMap = !this.studio.hello.value?.fields.some((f) => f.name === field);
    const begin = isMap ? { low: 0, high: 1 } : null;
    const seen = this.scaleOf?.field === field ? this.scaleOf.scale : begin;
    this.scaleOf = { field, scale: widened(seen, values.values()) };
    return this.scaleOf.scale;
  }

  colorOf(name: string): Rgb {
    const index = findOriginal(this.studio.scene, name);
    const own = objectsOf(this.studio.scene)[index]?.color;
    return Array.isArray(own) && own.length === 3 ? (own.map(Number) as Rgb) : paletteColor(Math.max(index, 0));
  }

  private extentOfAll(): [number, number, number] {
    const box = boundsOf([...this.bodies.values()].map((body) => body.positions));
    return box ? (box.high.map((h, c) => h - box.low[c]) as [number, number, number]) : [1, 1, 1];
  }

  private clipPlane(): Plane {
    const { clipAxis, clipAt, clipFlip } = this.studio.look.value;
    const box = this.bounds() ?? { low: [-1, -1, -1], high: [1, 1, 1] };
    const axis = 'xyz'.indexOf(clipAxis);
    const at = box.low[axis] + clipAt * (box.high[axis] - box.low[axis]);
    const sign = clipFlip ? 1 : -1;
    return new Plane(new Vector3().setComponent(axis, sign), -sign * at);
  }

  private listen(canvas: HTMLCanvasElement): void {
    const element = canvas.parentElement!;
    // Before the camera's own listeners, so that a tool can keep the press for itself.
    element.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
    element.addEventListener('pointermove', (event) => this.move(event), { capture: true });
    window.addEventListener('pointerup', (event) => this.release(event));
    window.addEventListener('pointercancel', (event) => this.release(event));
    canvas.addEventListener('pointerleave', () => this.painter.hide());
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  private press(event: PointerEvent): void {
    if (event.target !== this.stage.canvas || event.button !== 0) return;
    this.pressed = { x: event.clientX, y: event.clientY };
    const isPaint = this.studio.tool.value === 'paint';
    const taken = this.arrow.press(event) || (isPaint && this.painter.press(event));
    if (taken) this.pressed = null;
    if (taken || this.gizmo.hovered) this.stage.orbit.enabled = false;
    if (this.gizmo.hovered) this.pressed = null;
  }

  private move(event: PointerEvent): void {
    if (this.arrow.move(event)) return;
    if (this.studio.tool.value === 'paint' && (this.painter.painting || event.buttons === 0)) this.painter.move(event);
  }

  private release(event: PointerEvent): void {
    this.arrow.release();
    this.painter.release();
    this.stage.orbit.enabled = true;
    if (!this.pressed) return;
    const moved = Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y);
    this.pressed = null;
    if (moved < clickDistance) this.select(event);
  }

  private select(event: PointerEvent): void {
    const hit = this.stage.pick(event.clientX, event.clientY, this.surfaces());
    const body = hit?.object.userData.body as Body | undefined;
    const index = body ? findObject(this.studio.scene, body.name) : -1;
    this.studio.selection.set(index >= 0 ? { kind: 'object', index } : null);
  }
}
