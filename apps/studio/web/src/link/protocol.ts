/** What goes over the socket: names of the server's answers, and its binary messages taken apart. */

import type { Json, JsonObject } from '../document/json';

export interface Control {
  path: string;
  of: 'object' | 'contact' | 'scene';
  kind: 'number' | 'integer' | 'choice' | 'flag' | 'vector' | 'text';
  unit: '' | 'length' | 'degrees';
  low: number | null;
  high: number | null;
  step: number | null;
  /** What the scene's reader takes; low and high are where a slider goes. */
  least?: number | null;
  most?: number | null;
  least_included?: boolean;
  default: Json;
  choices: string[];
  hint: string;
  keyable: boolean;
  paintable: boolean;
  group: string;
}

export interface FieldInfo {
  name: string;
  label: string;
  of: string;
}

export interface MethodInfo {
  name: string;
  /** Whether a frame follows from those before it. */
  in_time: boolean;
}

export interface Hello {
  version: string;
  protocol: number;
  scene: string | null;
  document: JsonObject | null;
  revision: string | null;
  folder: string;
  limits: { asset_bytes: number; assets: number };
  threads: number;
  demos: { name: string; about: string }[];
  schema: Control[];
  methods: MethodInfo[];
  presets: string[];
  /** By the preset's name, then the control's path. */
  preset_values: Record<string, Record<string, number>>;
  fields: FieldInfo[];
}

export interface ObjectInfo {
  name: string;
  vertices: number;
  triangles: number;
  rigid: boolean;
  mesh_version: number | string;
  attributes: string[];
  groups: string[];
  notes: string[];
}

export interface ContactInfo {
  between: [string, string];
  of: number | null;
}

export interface SessionInfo {
  frames: [number, number];
  fps: number;
  objects: ObjectInfo[];
  contacts: ContactInfo[];
}

export interface ObjectReport {
  name: string;
  volume_before: number;
  volume_after: number;
  max_displacement: number;
  contact_vertices: number;
  deformed_vertices: number;
}

export interface ContactReport {
  between: [string, string];
  direction: [number, number, number];
  zone_area: [number, number];
  depth_before?: number;
  depth_after?: number;
  crossings_before?: number;
  crossings_after?: number;
  note?: string;
}

/** What there is to say of a simulated frame. */
export interface SimulationReport {
  numbers: Record<string, number>;
  notes: string[];
  /** First and last, of the frames that are computed. */
  ranges: [number, number][];
}

export interface FrameReport {
  frame: number;
  objects: ObjectReport[];
  contacts: ContactReport[];
  milliseconds: Record<string, number>;
  server_milliseconds: number;
  /** With a solve that brought a document. */
  document?: SessionInfo;
  simulation?: SimulationReport;
  /** What a simulation has reached so far; the frame that was asked for is still to come. */
  on_the_way?: boolean;
}

interface BlockInfo {
  name: string;
  object: string;
  type: 'f32' | 'u32';
  components: number;
  count: number;
  offset: number;
}

export interface Block {
  name: string;
  object: string;
  components: number;
  values: Float32Array | Uint32Array;
}

export interface BinaryMessage {
  kind: number;
  id: number;
  json: JsonObject;
  blocks: Block[];
}

const magic = 0x4441454b;
export const kindFrame = 1;
export const kindMesh = 2;

/** Takes a binary message apart without copying its numbers; throws when it is not one. */
export function decode(buffer: ArrayBuffer): BinaryMessage {
  if (buffer.byteLength < 16) throw new Error('a binary message of less than 16 bytes');
  const header = new DataView(buffer, 0, 16);
  if (header.getUint32(0, true) !== magic) throw new Error('a binary message without the mark of the server');
  const jsonBytes = header.getUint32(12, true);
  const begin = 16 + Math.ceil(jsonBytes / 4) * 4;
  if (begin > buffer.byteLength) throw new Error('a binary message that ends within its description');
  const text = new TextDecoder().decode(new Uint8Array(buffer, 16, jsonBytes));
  const { blocks: infos, ...json } = JSON.parse(text) as JsonObject & { blocks?: BlockInfo[] };
  const blocks = (infos ?? []).map((info): Block => {
    const length = info.components * info.count;
    if (begin + info.offset + 4 * length > buffer.byteLength)
      throw new Error(`a binary message that ends within its block ${info.name}`);
    const values =
      info.type === 'u32'
        ? new Uint32Array(buffer, begin + info.offset, length)
        : new Float32Array(buffer, begin + info.offset, length);
    return { name: info.name, object: info.object, components: info.components, values };
  });
  return { kind: header.getUint32(4, true), id: header.getUint32(8, true), json: json as JsonObject, blocks };
}

/** One solved frame, as the view draws it. */
export interface SolvedFrame {
  report: FrameReport;
  before: Map<string, Float32Array>;
  after: Map<string, Float32Array>;
  /** By the field's name, then the object's. */
  fields: Map<string, Map<string, Float32Array>>;
}

export function frameOf(message: BinaryMessage): SolvedFrame {
  const frame: SolvedFrame = {
    report: message.json as unknown as FrameReport,
    before: new Map(),
    after: new Map(),
    fields: new Map(),
  };
  for (const block of message.blocks) {
    const values = block.values as Float32Array;
    if (block.name === 'after' && block.components === 3) frame.after.set(block.object, values);
    else if (block.name === 'before' && block.components === 3) frame.before.set(block.object, values);
    else {
      const field = frame.fields.get(block.name) ?? new Map<string, Float32Array>();
      frame.fields.set(block.name, field.set(block.object, values));
    }
  }
  return frame;
}

export interface RestMesh {
  triangles: Uint32Array;
  rest: Float32Array;
}

export function meshOf(message: BinaryMessage): RestMesh {
  const block = (name: string) => message.blocks.find((b) => b.name === name)?.values;
  const triangles = block('triangles');
  const rest = block('rest');
  if (!(triangles instanceof Uint32Array) || !(rest instanceof Float32Array))
    throw new Error('a mesh without triangles or positions');
  return { triangles, rest };
}
