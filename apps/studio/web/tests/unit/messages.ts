/** Binary messages as the server writes them, for tests. */

export interface BlockSpec {
  name: string;
  object: string;
  type: 'f32' | 'u32';
  components: number;
  values: number[];
}

export function message(kind: number, id: number, json: object, blocks: BlockSpec[]): ArrayBuffer {
  let offset = 0;
  const infos = blocks.map(({ values, ...info }) => {
    const at = offset;
    offset += 4 * values.length;
    return { ...info, count: values.length / info.components, offset: at };
  });
  let text = new TextEncoder().encode(JSON.stringify({ ...json, blocks: infos }));
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  text = padded;
  const buffer = new ArrayBuffer(16 + text.length + offset);
  const header = new DataView(buffer);
  [0x4441454b, kind, id, text.length].forEach((value, i) => header.setUint32(4 * i, value, true));
  new Uint8Array(buffer, 16).set(text);
  blocks.forEach((block, i) => {
    const Type = block.type === 'u32' ? Uint32Array : Float32Array;
    new Type(buffer, 16 + text.length + infos[i].offset, block.values.length).set(block.values);
  });
  return buffer;
}

export function frameMessage(
  id: number,
  frame: number,
  positions: Record<string, number[]>,
  fields: Record<string, Record<string, number[]>> = {},
  more: object = {},
): ArrayBuffer {
  const blocks: BlockSpec[] = [];
  for (const [object, values] of Object.entries(positions))
    for (const name of ['after', 'before']) blocks.push({ name, object, type: 'f32', components: 3, values });
  for (const [name, objects] of Object.entries(fields))
    for (const [object, values] of Object.entries(objects))
      blocks.push({ name, object, type: 'f32', components: 1, values });
  return message(1, id, { frame, objects: [], contacts: [], milliseconds: { total: 1 }, ...more }, blocks);
}
