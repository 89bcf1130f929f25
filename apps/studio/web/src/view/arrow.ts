/** The mapping direction of the selected contact, as an arrow that can be dragged. */

import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Sphere,
  SphereGeometry,
  Vector3,
} from 'three';
import { get } from '../document/json';
import { edited, valueAt } from '../document/keyed';
import { objectOfSide } from '../document/scene';
import type { Studio } from '../studio';
import { boundsOf } from './geometry';
import type { Stage } from './stage';

const automatic = '#9aa3b2';
const chosen = '#ffb86b';

export class DirectionArrow {
  private readonly group = new Group();
  private readonly material = new MeshBasicMaterial({ color: automatic, depthTest: false, transparent: true });
  private readonly grip: Mesh;
  private length = 1;
  private gesture: string | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
  ) {
    const shaft = new Mesh(new CylinderGeometry(0.018, 0.018, 0.84, 12).translate(0, 0.42, 0), this.material);
    const head = new Mesh(new ConeGeometry(0.06, 0.16, 20).translate(0, 0.92, 0), this.material);
    // Wider than the head, so that a finger can take hold of it; seen by the ray only.
    this.grip = new Mesh(new SphereGeometry(0.17).translate(0, 0.9, 0), new MeshBasicMaterial({ visible: false }));
    this.group.add(shaft, head, this.grip);
    this.group.visible = false;
    for (const part of [shaft, head]) part.renderOrder = 1000;
    stage.scene.add(this.group);
    const follow = () => this.follow();
    for (const signal of [studio.selection, studio.solved, studio.content])
      (signal as { on(f: () => void): void }).on(follow);
  }

  /** Takes hold of the arrow when the pointer is on its head. */
  press(event: PointerEvent): boolean {
    if (!this.group.visible || !this.stage.pick(event.clientX, event.clientY, [this.grip])) return false;
    this.gesture = this.studio.newGesture();
    return true;
  }

  move(event: PointerEvent): boolean {
    if (this.gesture === null) return false;
    const ray = this.stage.aim(event.clientX, event.clientY).ray;
    const center = this.group.position;
    const on = ray.intersectSphere(new Sphere(center, this.length), new Vector3());
    // Beside the ball of all directions the nearest one is on its outline.
    const to = (on ?? ray.closestPointToPoint(center, new Vector3())).sub(center).normalize();
    this.write(to);
    return true;
  }

  release(): void {
    if (this.gesture === null) return;
    this.gesture = null;
    this.studio.history.seal();
  }

  private write(to: Vector3): void {
    const selection = this.studio.selection.value;
    if (selection?.kind !== 'contact') return;
    const world = this.studio.scene.up === 'z' ? to.clone().applyAxisAngle(new Vector3(1, 0, 0), Math.PI / 2) : to;
    const path = ['contacts', selection.index, 'direction'];
    const value = world.toArray().map((x) => Number(x.toFixed(4)));
    const old = get(this.studio.scene, path);
    this.studio.setAt(path, edited(old, this.studio.frame.value, value), 'Turn the mapping direction', this.gesture);
  }

  private follow(): void {
    const selection = this.studio.selection.value;
    const solved = this.studio.solved.value;
    const between = selection?.kind === 'contact' ? this.studio.contacts()[selection.index] : undefined;
    const report = between && this.studio.reports()[selection!.index];
    const given = selection && valueAt(get(this.studio.scene, ['contacts', selection.index, 'direction']), this.studio.frame.value);
    const direction = new Vector3(...(Array.isArray(given) ? given : (report?.direction ?? [0, 0, 0])));
    if (Array.isArray(given) && this.studio.scene.up === 'z') direction.applyAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2);
    if (between && direction.length() === 0) direction.set(0, 1, 0);
    this.group.visible = between !== undefined && solved !== null;
    if (this.group.visible) this.place(between!, direction.normalize(), Array.isArray(given));
    this.stage.draw();
  }

  private place(between: [string, string], direction: Vector3, byHand: boolean): void {
    const boxes = between.map((side) => {
      const positions = this.studio.solved.value?.before.get(objectOfSide(side));
      return positions ? boundsOf([positions]) : null;
    });
    if (!boxes[0] || !boxes[1]) return;
    const [a, b] = boxes as [NonNullable<(typeof boxes)[0]>, NonNullable<(typeof boxes)[0]>];
    // The middle of what both boxes share is near the contact.
    const middle = [0, 1, 2].map((c) => (Math.max(a.low[c], b.low[c]) + Math.min(a.high[c], b.high[c])) / 2);
    this.length = 0.6 * this.studio.sizeOf(objectOfSide(between[0]));
    this.group.position.set(middle[0], middle[1], middle[2]);
    this.group.scale.setScalar(this.length);
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), direction));
    this.material.color.set(byHand ? chosen : automatic);
  }
}
