/** The filled cut of a closed surface with the clip plane, found with the stencil buffer. */

import {
  AlwaysStencilFunc,
  BackSide,
  Color,
  DecrementWrapStencilOp,
  FrontSide,
  Group,
  IncrementWrapStencilOp,
  Mesh,
  MeshBasicMaterial,
  NotEqualStencilFunc,
  PlaneGeometry,
  ReplaceStencilOp,
  Vector3,
  type BufferGeometry,
  type Plane,
} from 'three';

/**
 * Faces turned away count up and faces turned towards the eye count down, so a pixel of the plane is inside
 * where the count is not 0. `order` keeps the bodies apart: each one clears the count behind itself.
 */
export function makeSection(geometry: BufferGeometry, plane: Plane, color: Color, size: number, order: number): Group {
  const group = new Group();
  const count = (side: typeof FrontSide | typeof BackSide, operation: typeof IncrementWrapStencilOp | typeof DecrementWrapStencilOp) => {
    const material = new MeshBasicMaterial({
      side,
      clippingPlanes: [plane],
      colorWrite: false,
      depthWrite: false,
      depthTest: false,
      stencilWrite: true,
      stencilFunc: AlwaysStencilFunc,
      stencilFail: operation as never,
      stencilZFail: operation as never,
      stencilZPass: operation as never,
    });
    const mesh = new Mesh(geometry, material);
    mesh.renderOrder = order;
    mesh.frustumCulled = false;
    return mesh;
  };
  const cap = new Mesh(
    new PlaneGeometry(size, size),
    new MeshBasicMaterial({
      color,
      stencilWrite: true,
      stencilRef: 0,
      stencilFunc: NotEqualStencilFunc,
      stencilFail: ReplaceStencilOp,
      stencilZFail: ReplaceStencilOp,
      stencilZPass: ReplaceStencilOp,
    }),
  );
  plane.coplanarPoint(cap.position);
  cap.lookAt(new Vector3().copy(cap.position).sub(plane.normal));
  cap.renderOrder = order + 0.5;
  cap.onAfterRender = (renderer) => renderer.clearStencil();
  group.add(count(BackSide, IncrementWrapStencilOp), count(FrontSide, DecrementWrapStencilOp), cap);
  return group;
}
