/** Painting on the selected object: the ring under the pointer and the strokes it leaves. */

import type { Intersection, Object3D } from 'three';
import { csvOf, hashOf, safeName } from '../assets';
import { set, type JsonObject } from '../document/json';
import { mirrored, strokeOf, withPainting, withStrokes, type Dab, type Vector } from '../document/painting';
import { findObject, nameOf, objectsOf } from '../document/scene';
import { RequestError } from '../link/connection';
import type { Session } from '../link/session';
import type { Store } from '../store';
import type { Brush, Studio } from '../studio';
import type { Body } from './body';
import { widened } from './colors';
import { distanceToVertices, pointOnFace } from './geometry';
import { brushUniforms } from './materials';
import type { Stage } from './stage';

/** A new dab follows when the pointer has gone this part of the radius. */
const spacing = 0.35;

/** The brush at a place. */
interface Touch {
  at: Vector;
  brush: Brush;
  gesture: string | null;
}

/**
 * A scene file has strokes of one local brush each. Where two of them, here and on the other side of the mirror, reach
 * the same vertices these must be painted once, so the server paints the map, as it does with the radial brush. It also does
 * what is added and taken away: strokes of a scene know no ends, and a control beyond its range is refused.
 */
export function needsServer({ at, brush }: Pick<Touch, 'at' | 'brush'>): boolean {
  if (brush.kind === 'radial' || brush.operation === 'add' || brush.operation === 'subtract') return true;
  return brush.mirror !== null && Math.abs(at['xyz'.indexOf(brush.mirror)]) < brush.radius;
}

export class Painter {
  private gesture: string | null = null;
  private last: Vector | null = null;
  private readonly waiting: Touch[] = [];
  private busy = false;
  private ring: { body: Body; at: Vector } | null = null;
  private ringed: Body | null = null;
  private ringBusy = false;

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
    private readonly session: Session,
    private readonly store: Store | null,
    private readonly bodyOf: (name: string) => Body | undefined,
    private readonly surfaces: () => Object3D[],
  ) {
    studio.tool.on(() => this.hide());
  }

  get painting(): boolean {
    return this.gesture !== null;
  }

  /** Begins a stroke when the selected object is under the pointer. */
  press(event: PointerEvent): boolean {
    const at = this.hover(event);
    if (!at) return false;
    this.gesture = this.studio.newGesture();
    this.last = null;
    this.dab(at, event);
    return true;
  }

  move(event: PointerEvent): void {
    const at = this.hover(event);
    if (at && this.gesture !== null) this.dab(at, event);
  }

  release(): void {
    if (this.gesture === null) return;
    this.gesture = null;
    if (!this.busy) this.studio.history.seal();
  }

  hide(): void {
    this.ring = null;
    if (!this.ringed) return;
    this.ringed.showBrush(null);
    this.ringed = null;
    this.stage.draw();
  }

  /** Moves the ring; the answer is the point on the mesh at rest. */
  private hover(event: PointerEvent): Vector | null {
    const selected = this.studio.selectedObject();
    const body = selected && this.bodyOf(nameOf(selected.object));
    const hit = body && this.stage.pick(event.clientX, event.clientY, this.surfaces());
    // What lies behind another object is not painted through it.
    if (!hit?.face || !hit.barycoord || hit.object !== body!.surface) {
      this.hide();
      return null;
    }
    const at = this.atRest(hit, body!);
    this.ring = { body: body!, at };
    if (!this.ringBusy) void this.showRing();
    return at;
  }

  private atRest(hit: Intersection, body: Body): Vector {
    const { a, b, c } = hit.face!;
    return pointOnFace(body.mesh.rest, [a, b, c], hit.barycoord!.toArray() as Vector);
  }

  /** The server knows what the brush reaches; of the places on the way only the newest is asked for. */
  private async showRing(): Promise<void> {
    this.ringBusy = true;
    for (let ring = this.ring; ring; ring = this.ring === ring ? null : this.ring) {
      const { kind, falloff } = this.studio.brush.value;
      const reach = await this.reachAt(ring.body, ring.at);
      if (!this.ring) continue;
      brushUniforms.brushFalloff.value = kind === 'radial' ? 1 : falloff;
      if (this.ringed !== ring.body) this.ringed?.showBrush(null);
      this.ringed = ring.body;
      ring.body.showBrush(reach);
      this.stage.draw();
    }
    this.ringBusy = false;
  }

  /** Null when it has no answer: nothing touches the object, or the connection is gone. */
  private async reachAt(body: Body, at: Vector): Promise<Float32Array | null> {
    try {
      const request = this.brushRequest(body.name, at, this.studio.brush.value);
      const answer = await this.session.connection.request('brush', request).answer;
      return (answer.binary?.blocks[0]?.values as Float32Array | undefined) ?? null;
    } catch {
      return null;
    }
  }

  private dab(at: Vector, event: PointerEvent): void {
    const brush = this.studio.brush.value;
    const moved = this.last && Math.hypot(...at.map((x, c) => x - this.last![c]));
    if (moved !== null && moved < spacing * brush.radius) return;
    this.last = at;
    // A radial stroke covers what lies between, and takes the server longer.
    if (brush.kind === 'radial') this.waiting.splice(0);
    this.waiting.push({ at, brush: { ...brush, ...this.operation(event) }, gesture: this.gesture });
    if (!this.busy) void this.paint();
  }

  /** Shift smooths, Ctrl takes away, whatever the brush does else. */
  private operation(event: PointerEvent): Pick<Dab, 'operation' | 'value'> {
    const { operation, value } = this.studio.brush.value;
    if (event.shiftKey) return { operation: 'smooth', value };
    if (!(event.ctrlKey || event.metaKey)) return { operation, value };
    if (operation === 'add') return { operation: 'subtract', value };
    if (operation === 'subtract') return { operation: 'add', value };
    return { operation: 'set', value: 1 - value };
  }

  /** One after the other: each stroke is put on the map that the one before has left. */
  private async paint(): Promise<void> {
    this.busy = true;
    for (let touch = this.waiting.shift(); touch; touch = this.waiting.shift()) {
      if (!needsServer(touch)) {
        this.addStrokes(touch);
        continue;
      }
      try {
        await this.paintOnServer(touch);
      } catch (error) {
        if (error instanceof RequestError) this.studio.tell(error.message, 'warning');
        else this.studio.tell('The stroke was lost with the connection.', 'warning');
      }
    }
    this.busy = false;
    if (this.gesture === null) this.studio.history.seal();
  }

  private addStrokes({ at, brush, gesture }: Touch): void {
    const selected = this.studio.selectedObject()!;
    const rest = this.bodyOf(nameOf(selected.object))!.mesh.rest;
    const places = brush.mirror ? [at, mirrored(at, brush.mirror)] : [at];
    // The server refuses a stroke that reaches no vertex.
    const reached = places.filter((place) => distanceToVertices(rest, place) < 0.98 * brush.radius);
    if (reached.length === 0) {
      this.studio.tell('The brush is smaller than the faces here: no vertex is within its size.', 'warning');
      return;
    }
    const attribute = this.studio.beginPainting(gesture);
    if (!attribute) return;
    const strokes = reached.map((place) => strokeOf({ ...brush, at: place }));
    const what = `Paint ${brush.control} of ${nameOf(selected.object)}`;
    this.studio.editObject(selected.index, (object) => withStrokes(object, attribute, strokes), what, gesture);
  }

  private async paintOnServer({ at, brush, gesture }: Touch): Promise<void> {
    const attribute = this.studio.beginPainting(gesture);
    const selected = this.studio.selectedObject();
    if (!attribute || !selected) return;
    const name = nameOf(selected.object);
    await this.session.settled();
    // A map of the mesh's own file may go beyond 0 and 1.
    const known = this.studio.solved.value?.fields.get(attribute)?.get(name);
    const ends = widened({ low: 0, high: 1 }, known ? [known] : []);
    const answer = await this.session.connection.ask('paint', {
      ...this.brushRequest(name, at, brush),
      attribute,
      operation: brush.operation,
      ...(brush.operation === 'smooth' ? {} : { value: brush.value }),
      strength: brush.strength,
      ...ends,
    });
    const bytes = csvOf(answer.values as number[]);
    const hash = hashOf(bytes);
    this.studio.blobs.set(hash, bytes);
    await this.store?.saveBlob(hash, bytes);
    const file = safeName(`${name}-${attribute}.csv`);
    // What else was changed while the server painted stays.
    const { scene, assets } = this.studio.content.value;
    const index = findObject(scene, name);
    if (index < 0) return;
    const object = withPainting(objectsOf(scene)[index], attribute, { base: file, strokes: [] });
    this.studio.editContent(
      { scene: set(scene, ['objects', index], object), assets: { ...assets, [file]: hash } },
      `Paint ${brush.control} of ${name}`,
      gesture,
    );
  }

  private brushRequest(object: string, at: Vector, brush: Brush): JsonObject {
    const local = { falloff: brush.falloff, distance: brush.distance };
    return {
      object,
      brush: brush.kind,
      at,
      radius: brush.radius,
      ...(brush.kind === 'local' ? local : { frame: this.studio.frame.value }),
      ...(brush.mirror ? { mirror: { normal: [0, 1, 2].map((c) => Number('xyz'[c] === brush.mirror)) } } : {}),
    };
  }
}
