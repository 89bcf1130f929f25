/** How surfaces look: a matcap made here, a plain material, and the brush's ring drawn on them. */

import {
  BackSide,
  Color,
  DataTexture,
  DoubleSide,
  FrontSide,
  LinearFilter,
  MeshBasicMaterial,
  MeshMatcapMaterial,
  MeshStandardMaterial,
  ShaderMaterial,
  SRGBColorSpace,
  type Material,
  type Plane,
} from 'three';

export type Shading = 'matcap' | 'plain';

/**
 * The brush is drawn by how far out in it every vertex is, the attribute `brush`: 0 in the middle, 1 at the edge of what
 * it will touch, as the server finds that for the stroke itself.
 */
export const brushUniforms = { brushColor: { value: new Color('#ffb86b') }, brushFalloff: { value: 1 } };

/** Of a vertex that is in no brush. */
export const outOfReach = 9;

const brushShader = /* glsl */ `
  uniform vec3 brushColor;
  uniform float brushFalloff;
  varying float vBrush;
  float brushRing(float at, float width) {
    return 1.0 - smoothstep(0.5 * width, 1.5 * width, abs(vBrush - at));
  }
  vec3 withBrush(vec3 color) {
    float width = max(fwidth(vBrush), 1e-6);
    if (vBrush > 1.5) return color;
    float inner = 1.0 - brushFalloff;
    float tint = 0.28 * (1.0 - smoothstep(inner, 1.0, vBrush));
    float rings = max(brushRing(1.0, width), 0.55 * brushRing(inner, width));
    return mix(color, brushColor, max(tint, rings));
  }
`;

function drawBrush(material: Material): void {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, brushUniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute float brush;\nvarying float vBrush;')
      .replace('#include <project_vertex>', '#include <project_vertex>\nvBrush = brush;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${brushShader}`)
      .replace('#include <opaque_fragment>', 'outgoingLight = withBrush(outgoingLight);\n#include <opaque_fragment>');
  };
}

/**
 * A ball in a soft studio: warm key from the upper left, cool fill, a thin bright rim. `depth` is how much of that
 * there is: colours that stand for values must stay readable.
 */
function makeMatcap(depth: number): DataTexture {
  const size = 256;
  const data = new Uint8Array(4 * size * size);
  const lit = (nx: number, ny: number, nz: number): [number, number, number] => {
    const key = Math.max(0, -0.45 * nx + 0.62 * ny + 0.64 * nz);
    const fill = Math.max(0, 0.7 * nx - 0.1 * ny + 0.35 * nz);
    const shine = Math.max(0, -0.28 * nx + 0.42 * ny + 0.86 * nz) ** 42;
    const rim = (1 - nz) ** 3 * (0.4 + 0.6 * Math.max(0, ny));
    return [
      0.1 + 0.8 * key + 0.1 * fill + 0.16 * shine + 0.16 * rim,
      0.11 + 0.77 * key + 0.12 * fill + 0.16 * shine + 0.18 * rim,
      0.14 + 0.72 * key + 0.17 * fill + 0.16 * shine + 0.22 * rim,
    ];
  };
  for (let y = 0; y < size; ++y)
    for (let x = 0; x < size; ++x) {
      let nx = (2 * (x + 0.5)) / size - 1;
      let ny = (2 * (y + 0.5)) / size - 1;
      const length = Math.hypot(nx, ny);
      if (length > 0.999) [nx, ny] = [(0.999 * nx) / length, (0.999 * ny) / length];
      const rgb = lit(nx, ny, Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny)));
      const at = 4 * (y * size + x);
      for (let c = 0; c < 3; ++c) data[at + c] = Math.round(255 * (1 - depth + depth * Math.min(1, rgb[c]) ** (1 / 1.6)));
      data[at + 3] = 255;
    }
  const texture = new DataTexture(data, size, size);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

let matcaps: { full: DataTexture; faint: DataTexture } | null = null;

export interface Look {
  shading: Shading;
  color: Color;
  byField: boolean;
  planes: Plane[];
}

export function surfaceMaterial(look: Look): Material {
  matcaps ??= { full: makeMatcap(1), faint: makeMatcap(0.3) };
  const common = {
    color: look.byField ? new Color(1, 1, 1) : look.color,
    vertexColors: look.byField,
    clippingPlanes: look.planes,
    side: look.planes.length > 0 ? FrontSide : DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  } as const;
  const material =
    look.shading === 'matcap'
      ? new MeshMatcapMaterial({ ...common, matcap: look.byField ? matcaps.faint : matcaps.full })
      : new MeshStandardMaterial({ ...common, roughness: 0.85, metalness: 0 });
  drawBrush(material);
  return material;
}

/** The inner side of what is cut open. */
export function insideMaterial(look: Look): Material {
  return new MeshBasicMaterial({
    color: look.color.clone().multiplyScalar(0.35),
    side: BackSide,
    clippingPlanes: look.planes,
  });
}

/** Glass with a bright rim, seen through everything: what is inside the other object is what matters. */
export function ghostMaterial(planes: Plane[]): Material {
  return new ShaderMaterial({
    transparent: true,
    depthTest: false,
    depthWrite: false,
    clipping: true,
    clippingPlanes: planes,
    vertexShader: /* glsl */ `
      #include <clipping_planes_pars_vertex>
      varying vec3 vNormal, vView;
      void main() {
        vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
        vNormal = normalMatrix * normal;
        vView = -mvPosition.xyz;
        gl_Position = projectionMatrix * mvPosition;
        #include <clipping_planes_vertex>
      }`,
    fragmentShader: /* glsl */ `
      #include <clipping_planes_pars_fragment>
      varying vec3 vNormal, vView;
      void main() {
        #include <clipping_planes_fragment>
        float rim = 1.0 - abs(dot(normalize(vNormal), normalize(vView)));
        gl_FragColor = vec4(0.72, 0.83, 1.0, 0.04 + 0.5 * rim * rim * rim);
      }`,
  });
}

export function wireMaterial(planes: Plane[]): Material {
  return new MeshBasicMaterial({
    color: '#0b0c0f',
    wireframe: true,
    transparent: true,
    opacity: 0.38,
    clippingPlanes: planes,
  });
}
