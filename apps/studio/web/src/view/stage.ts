/** Canvas, camera and light; draws only when something changed. */

import {
  Color,
  DirectionalLight,
  HemisphereLight,
  MathUtils,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Intersection,
  type Object3D,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Bounds } from './geometry';

const fieldOfView = 32;
/** How much of the view is filled when something is framed. */
const filledPart = 0.88;

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 1000);
  readonly renderer: WebGLRenderer;
  readonly orbit: OrbitControls;
  /** Milliseconds of the last drawing. */
  drawMilliseconds = 0;
  onframe: () => void = () => {};
  private asked = false;
  private readonly raycaster = new Raycaster();
  private readonly light = new DirectionalLight('#fff4e6', 2.2);

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, stencil: true });
    this.renderer.localClippingEnabled = true;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.scene.background = new Color('#1a1c21');
    this.scene.add(new HemisphereLight('#cdd8ea', '#3a3530', 1.3), this.camera);
    this.light.position.set(-1, 1.6, 1.4);
    this.camera.add(this.light, this.light.target);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = false;
    this.orbit.addEventListener('change', () => this.draw());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  draw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.drawNow();
    });
  }

  drawNow(): void {
    const begin = performance.now();
    this.onframe();
    this.renderer.render(this.scene, this.camera);
    this.drawMilliseconds = performance.now() - begin;
  }

  /** Looks at all of the box from an azimuth about +Y and an elevation above the horizon, in degrees. */
  frame(bounds: Bounds | null, view: { azimuth: number; elevation: number; zoom: number } | null): void {
    const low = new Vector3(...(bounds?.low ?? [-1, -1, -1]));
    const high = new Vector3(...(bounds?.high ?? [1, 1, 1]));
    const target = low.clone().add(high).multiplyScalar(0.5);
    const back = view
      ? new Vector3().setFromSphericalCoords(
          1,
          MathUtils.degToRad(90 - view.elevation),
          MathUtils.degToRad(view.azimuth),
        )
      : this.camera.position.clone().sub(this.orbit.target).normalize();
    const distance = this.distanceFor(low, high, back) / (view?.zoom ?? 1);
    this.camera.near = distance / 100;
    this.camera.far = distance * 40;
    this.camera.updateProjectionMatrix();
    this.orbit.target.copy(target);
    this.camera.position.copy(target).addScaledVector(back, distance);
    this.orbit.update();
    this.draw();
  }

  /** From how far all corners of a box about its middle are in view. */
  private distanceFor(low: Vector3, high: Vector3, back: Vector3): number {
    const right = new Vector3(0, 1, 0).cross(back).normalize();
    const up = back.clone().cross(right);
    const slopeUp = filledPart * Math.tan(MathUtils.degToRad(fieldOfView / 2));
    const slopeRight = slopeUp * this.camera.aspect;
    const half = high.clone().sub(low).multiplyScalar(0.5);
    let distance = 1e-3;
    for (let corner = 0; corner < 8; ++corner) {
      const sign = (bit: number) => (corner & bit ? 1 : -1);
      const p = new Vector3(sign(1) * half.x, sign(2) * half.y, sign(4) * half.z);
      const beside = Math.max(Math.abs(p.dot(right)) / slopeRight, Math.abs(p.dot(up)) / slopeUp);
      distance = Math.max(distance, p.dot(back) + beside);
    }
    return distance;
  }

  pick(x: number, y: number, objects: Object3D[]): Intersection | null {
    this.aim(x, y);
    return this.raycaster.intersectObjects(objects, false)[0] ?? null;
  }

  /** The ray through a point of the window. */
  aim(x: number, y: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    this.raycaster.setFromCamera(at, this.camera);
    return this.raycaster;
  }

  /** The point of the window that a point is seen at. */
  onScreen(point: readonly [number, number, number]): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const { x, y } = new Vector3(...point).project(this.camera);
    return [box.left + ((x + 1) / 2) * box.width, box.top + ((1 - y) / 2) * box.height];
  }

  picture(): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.drawNow();
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))));
    });
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.drawNow();
  }
}
