/** Handles that move, turn and size the selected object. */

import { Euler, Group, MathUtils, Object3D, Quaternion } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Vector } from '../document/painting';
import { nameOf } from '../document/scene';
import { nearAngles, poseAt, withPosePart, type PosePart } from '../document/transform';
import type { Studio } from '../studio';
import type { Stage } from './stage';

const parts: Record<string, PosePart> = { translate: 'translate', rotate: 'rotate', scale: 'scale' };
const verbs: Record<PosePart, string> = { translate: 'Move', rotate: 'Turn', scale: 'Size' };
const modes = { move: 'translate', rotate: 'rotate', scale: 'scale' } as const;

export class Gizmo {
  private readonly controls: TransformControls;
  private readonly world = new Group();
  private readonly handle = new Object3D();
  private gesture: string | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly stage: Stage,
  ) {
    this.controls = new TransformControls(stage.camera, stage.canvas);
    this.controls.size = 0.8;
    this.controls.setColors('#d3665f', '#7fae5c', '#5f8fd3', '#ffb86b');
    this.world.add(this.handle);
    stage.scene.add(this.world, this.controls.getHelper());
    this.controls.addEventListener('change', () => stage.draw());
    this.controls.addEventListener('dragging-changed', (event) => {
      stage.orbit.enabled = event.value !== true;
      if (event.value === true) this.gesture = studio.newGesture();
      else {
        this.gesture = null;
        studio.history.seal();
      }
    });
    this.controls.addEventListener('objectChange', () => this.write());
    const follow = () => this.follow();
    for (const signal of [studio.content, studio.frame, studio.selection, studio.tool, studio.meshes])
      (signal as { on(f: () => void): void }).on(follow);
    follow();
  }

  /** Whether a press of the pointer would take hold of a handle. */
  get hovered(): boolean {
    return this.handleShown && this.controls.axis !== null;
  }

  private get handleShown(): boolean {
    return this.controls.object !== undefined;
  }

  private follow(): void {
    const selected = this.studio.selectedObject();
    const tool = this.studio.tool.value;
    if (!selected || tool === 'paint' || !this.studio.meshes.value.has(nameOf(selected.object))) {
      this.controls.detach();
      this.stage.draw();
      return;
    }
    if (this.gesture === null) {
      const pose = poseAt(selected.object, this.studio.frame.value);
      // A file with Z up is turned as a whole; results are always Y up.
      this.world.rotation.x = this.studio.scene.up === 'z' ? -Math.PI / 2 : 0;
      this.handle.position.set(...pose.translate);
      this.handle.rotation.set(...(pose.rotate.map(MathUtils.degToRad) as Vector), 'ZYX');
      this.handle.scale.set(...pose.scale);
      this.world.updateMatrixWorld(true);
    }
    this.controls.setMode(modes[tool]);
    this.controls.setSpace(tool === 'scale' ? 'local' : 'world');
    if (this.controls.object !== this.handle) this.controls.attach(this.handle);
    this.stage.draw();
  }

  private write(): void {
    const selected = this.studio.selectedObject();
    const part = parts[this.controls.mode];
    if (!selected || this.gesture === null || !part) return;
    const frame = this.studio.frame.value;
    const name = nameOf(selected.object);
    const pose = poseAt(selected.object, frame);
    const next = this.read(part, pose.rotate);
    // A handle that is held but not moved sets no key.
    if (next.every((value, c) => Math.abs(value - pose[part][c]) < 1e-9)) return;
    this.studio.editObject(
      selected.index,
      (object) => withPosePart(object, part, frame, next),
      `${verbs[part]} ${name}`,
      this.gesture,
    );
  }

  private read(part: PosePart, oldAngles: Vector): Vector {
    if (part === 'translate') return this.handle.position.toArray() as Vector;
    if (part === 'scale') return this.handle.scale.toArray().map((s) => Math.max(s, 1e-3)) as Vector;
    const turned = new Euler().setFromQuaternion(new Quaternion().copy(this.handle.quaternion), 'ZYX');
    const degrees = [turned.x, turned.y, turned.z].map(MathUtils.radToDeg) as Vector;
    return nearAngles(degrees, oldAngles);
  }
}
