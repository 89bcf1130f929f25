/** The profile curve, with points to drag: where the bulge is and how high, and where it ends. */

import { get, parsePath } from '../document/json';
import { edited, valueAt } from '../document/keyed';
import { nameOf } from '../document/scene';
import { controlPoints, profilePoints, type ProfileShape } from '../document/profile';
import type { Studio } from '../studio';
import type { Row } from './control_row';
import { h, svg } from './dom';

const width = 280;
const height = 120;
const margin = 14;
/** The curve's ordinates from the bottom to the top of the picture. */
const [lowest, highest] = [-1.15, 1.9];
/** A bulge of 1 stands this high in the picture. */
const unitBulge = 0.6;

const x = (u: number) => margin + u * (width - 2 * margin);
const y = (v: number) => height - ((v - lowest) / (highest - lowest)) * height;

export function profileEditor(studio: Studio): Row {
  const curve = svg('path', { class: 'profile-curve' });
  const hull = svg('path', { class: 'profile-hull' });
  const level = svg('line', { class: 'profile-level', x1: x(0), x2: x(1), y1: y(0), y2: y(0) });
  const number = (path: string): number => {
    const selected = studio.selectedObject();
    const value = selected && valueAt(get(selected.object, parsePath(path)), studio.frame.value);
    if (typeof value === 'number') return value;
    const fallback = studio.control(path)?.default;
    return typeof fallback === 'number' ? fallback : 0;
  };
  /** Within the range of the control's slider. */
  const inRange = (path: string, value: number): number => {
    const control = studio.control(path);
    return clamp(value, control?.low ?? value, control?.high ?? value);
  };
  const waveHeight = () => number('profile.wrinkles.amplitude');
  const shape = (): ProfileShape => ({
    bulgeAt: number('profile.bulge_at'),
    endAt: number('profile.end_at'),
    // A wave is a length; against the depth, which the picture does not know, it is shown a little large.
    amplitude: Math.max(-0.3, Math.min(0.3, (12 * waveHeight()) / studio.sizeOf())),
    waves: number('profile.wrinkles.waves'),
  });
  const bulge = () => number('bulge');

  const write = (values: Record<string, number>, gesture: string) => {
    const selected = studio.selectedObject();
    if (!selected) return;
    for (const [key, value] of Object.entries(values)) {
      const path = ['objects', selected.index, ...parsePath(key)];
      const old = get(studio.scene, path);
      if (typeof old === 'object' && old !== null && 'map' in old) {
        studio.tell(`${key} of ${nameOf(selected.object)} is painted; reset it to drag the curve.`, 'warning');
        continue;
      }
      studio.setAt(path, edited(old, studio.frame.value, Number(value.toFixed(3))), 'Drag the profile', gesture);
    }
  };
  const bulgeTo = (u: number, v: number, gesture: string) =>
    write({ 'profile.bulge_at': Math.min(inRange('profile.bulge_at', u), shape().endAt), bulge: inRange('bulge', v / unitBulge) }, gesture);
  const endTo = (u: number, _v: number, gesture: string) =>
    write({ 'profile.end_at': Math.max(inRange('profile.end_at', u), shape().bulgeAt) }, gesture);

  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'profile', role: 'group', 'aria-label': 'Profile curve' });
  const bulgePoint = handle(studio, picture, 'Bulge: where it is and how high', bulgeTo, () => [shape().bulgeAt, unitBulge * bulge()]);
  const endPoint = handle(studio, picture, 'End: from where the surface is level', endTo, () => [shape().endAt, 0]);
  picture.append(level, hull, curve, bulgePoint.element, endPoint.element);

  const update = () => {
    const now = shape();
    const top = unitBulge * bulge();
    const line = (points: [number, number][]) =>
      points.map(([u, v], i) => `${i === 0 ? 'M' : 'L'}${x(u).toFixed(1)} ${y(clamp(v, lowest, highest)).toFixed(1)}`).join('');
    curve.setAttribute('d', line(profilePoints(now, top)));
    hull.setAttribute('d', line(controlPoints(now, top)));
    bulgePoint.place(`${now.bulgeAt.toFixed(2)}, bulge ${bulge().toFixed(2)}`);
    endPoint.place(now.endAt.toFixed(2));
  };
  const element = h(
    'div',
    { class: 'row', 'data-hint': 'The surface from the contact (left) to the extent (right). Drag the points.' },
    picture,
    h('div', { class: 'profile-legend' }, h('span', {}, 'contact'), h('span', {}, 'extent')),
  );
  return { element, update };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** A point that is dragged, or moved with the arrow keys. */
function handle(
  studio: Studio,
  picture: SVGSVGElement,
  label: string,
  moveTo: (u: number, v: number, gesture: string) => void,
  at: () => [number, number],
): { element: SVGCircleElement; place(text: string): void } {
  const element = svg('circle', { r: 7, class: 'profile-point', tabindex: 0, role: 'slider', 'aria-label': label });
  let gesture: string | null = null;
  const end = () => {
    gesture = null;
    studio.history.seal();
  };
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    gesture = studio.newGesture();
  });
  element.addEventListener('pointermove', (event) => {
    if (gesture === null) return;
    const box = picture.getBoundingClientRect();
    const px = ((event.clientX - box.left) / box.width) * width;
    const py = ((event.clientY - box.top) / box.height) * height;
    moveTo((px - margin) / (width - 2 * margin), lowest + ((height - py) / height) * (highest - lowest), gesture);
  });
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
  element.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: [-0.01, 0], ArrowRight: [0.01, 0], ArrowDown: [0, -0.03], ArrowUp: [0, 0.03] }[event.key];
    if (!by) return;
    event.preventDefault();
    const [u, v] = at();
    gesture ??= studio.newGesture();
    moveTo(u + by[0], v + by[1], gesture);
  });
  element.addEventListener('keyup', end);
  return {
    element,
    place: (text) => {
      const [u, v] = at();
      element.setAttribute('cx', x(u).toFixed(1));
      element.setAttribute('cy', y(clamp(v, lowest, highest)).toFixed(1));
      element.setAttribute('aria-valuenow', u.toFixed(3));
      element.setAttribute('aria-valuemin', '0');
      element.setAttribute('aria-valuemax', '1');
      element.setAttribute('aria-valuetext', text);
    },
  };
}
