/** One object of the scene as it is drawn. */

import { BufferAttribute, BufferGeometry, Color, Group, Mesh, Sphere, type Material, type Plane } from 'three';
import type { RestMesh } from '../link/protocol';
import { colorize, type Rgb, type Scale } from './colors';
import { isClosed, vertexNormals } from './geometry';
import { ghostMaterial, insideMaterial, outOfReach, surfaceMaterial, wireMaterial, type Shading } from './materials';
import { makeSection } from './section';

export interface BodyLook {
  shading: Shading;
  color: Rgb;
  byField: boolean;
  wireframe: boolean;
  ghost: boolean;
  plane: Plane | null;
  /** Of the scene, for the extent of the section. */
  size: number;
  order: number;
}

export class Body {
  readonly group = new Group();
  readonly surface: Mesh;
  private readonly geometry = new BufferGeometry();
  private readonly ghostGeometry = new BufferGeometry();
  private readonly normals: Float32Array;
  private readonly closed: boolean;
  private parts: Mesh[] = [];
  private section: Group | null = null;
  private ghosted = false;
  private before: Float32Array | null = null;
  private prepared = false;
  private lookKey = '';

  constructor(
    readonly name: string,
    readonly mesh: RestMesh,
  ) {
    const count = mesh.rest.length / 3;
    this.normals = new Float32Array(mesh.rest.length);
    const index = new BufferAttribute(mesh.triangles, 1);
    this.geometry.setIndex(index);
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array(mesh.rest), 3));
    this.geometry.setAttribute('normal', new BufferAttribute(this.normals, 3));
    this.geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * count).fill(0.3), 3));
    this.geometry.setAttribute('brush', new BufferAttribute(new Float32Array(count).fill(outOfReach), 1));
    this.geometry.boundingSphere = new Sphere();
    this.ghostGeometry.setIndex(index);
    this.ghostGeometry.setAttribute('position', new BufferAttribute(new Float32Array(mesh.rest), 3));
    this.ghostGeometry.setAttribute('normal', new BufferAttribute(new Float32Array(mesh.rest.length), 3));
    this.ghostGeometry.boundingSphere = new Sphere();
    this.closed = isClosed(mesh.triangles);
    this.surface = new Mesh(this.geometry);
    this.surface.userData.body = this;
    this.group.add(this.surface);
  }

  get positions(): Float32Array {
    return this.geometry.getAttribute('position').array as Float32Array;
  }

  show(positions: Float32Array, before: Float32Array | undefined): void {
    this.positions.set(positions);
    this.before = before ?? null;
    this.prepared = false;
  }

  /** What only drawing and picking need is made when they come: positions arrive more often than that. */
  prepare(): void {
    if (this.prepared) return;
    this.prepared = true;
    vertexNormals(this.positions, this.mesh.triangles, this.normals);
    this.geometry.getAttribute('position').needsUpdate = true;
    this.geometry.getAttribute('normal').needsUpdate = true;
    this.geometry.computeBoundingSphere();
    if (!this.before || !this.ghosted) return;
    const ghost = this.ghostGeometry.getAttribute('position');
    const normals = this.ghostGeometry.getAttribute('normal');
    (ghost.array as Float32Array).set(this.before);
    vertexNormals(this.before, this.mesh.triangles, normals.array as Float32Array);
    ghost.needsUpdate = normals.needsUpdate = true;
    this.ghostGeometry.computeBoundingSphere();
  }

  colorBy(values: Float32Array | undefined, scale: Scale): void {
    const colors = this.geometry.getAttribute('color');
    if (values) colorize(values, scale, colors.array as Float32Array);
    else (colors.array as Float32Array).fill(0.3);
    colors.needsUpdate = true;
  }

  /** Shows a brush by how far out in it every vertex is; null: none. */
  showBrush(reach: Float32Array | null): void {
    const shown = this.geometry.getAttribute('brush');
    if (reach && reach.length === shown.count) (shown.array as Float32Array).set(reach);
    else (shown.array as Float32Array).fill(outOfReach);
    shown.needsUpdate = true;
  }

  get brushReach(): Float32Array {
    return this.geometry.getAttribute('brush').array as Float32Array;
  }

  /** Makes the meshes that the look needs; nothing when it is the same as before. */
  dress(look: BodyLook): void {
    const key = JSON.stringify({ ...look, plane: look.plane && [...look.plane.normal.toArray(), look.plane.constant] });
    if (key === this.lookKey) return;
    this.lookKey = key;
    this.undress();
    this.ghosted = look.ghost;
    this.prepared = false;
    const color = new Color().setRGB(...look.color, 'srgb');
    const planes = look.plane ? [look.plane] : [];
    const how = { shading: look.shading, color, byField: look.byField, planes };
    this.surface.material = surfaceMaterial(how);
    if (look.plane) {
      if (this.closed) {
        this.section = makeSection(this.geometry, look.plane, color.clone().multiplyScalar(0.55), 4 * look.size, look.order);
        this.group.add(this.section);
      }
      this.add(new Mesh(this.geometry, insideMaterial(how)));
    }
    if (look.wireframe) this.add(new Mesh(this.geometry, wireMaterial(planes)));
    if (look.ghost) this.add(new Mesh(this.ghostGeometry, ghostMaterial(planes))).renderOrder = 900;
  }

  dispose(): void {
    this.undress();
    this.geometry.dispose();
    this.ghostGeometry.dispose();
  }

  private add(mesh: Mesh): Mesh {
    this.parts.push(mesh);
    this.group.add(mesh);
    return mesh;
  }

  private undress(): void {
    (this.surface.material as Material).dispose();
    for (const part of this.parts) {
      (part.material as Material).dispose();
      this.group.remove(part);
    }
    this.parts = [];
    if (!this.section) return;
    for (const mesh of this.section.children as Mesh[]) {
      (mesh.material as Material).dispose();
      if (mesh.geometry !== this.geometry) mesh.geometry.dispose();
    }
    this.group.remove(this.section);
    this.section = null;
  }
}
