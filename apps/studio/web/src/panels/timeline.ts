/** Frames, the play head, and the keys of what is selected. */

import { get, set, type Path } from '../document/json';
import { withKeyMoved, withoutKey } from '../document/keyed';
import { fpsOf, framesOf, nameOf, objectsOf } from '../document/scene';
import { neighbourKey, tracksOf, type Track } from '../document/tracks';
import { together } from '../signal';
import type { Studio } from '../studio';
import { h, icon, iconButton, isBeingTyped } from './dom';

interface KeyPlace {
  path: Path;
  frame: number;
}

export class Timeline {
  readonly element: HTMLElement;
  private readonly ruler = h('div', {
    class: 'ruler',
    role: 'slider',
    tabindex: 0,
    'aria-label': 'Frame',
  });
  private readonly ticks = h('div', { class: 'ticks' });
  private readonly computed = h('div', { class: 'computed' });
  private readonly onTheWay = h('span', { class: 'on-the-way', role: 'status' });
  private readonly head = h('div', { class: 'play-head' });
  private readonly rows = h('div', { class: 'tracks' });
  private readonly frameInput = h('input', { type: 'number', class: 'frame-input', 'aria-label': 'Frame number' });
  private readonly firstInput = h('input', { type: 'number', 'aria-label': 'First frame' });
  private readonly lastInput = h('input', { type: 'number', 'aria-label': 'Last frame' });
  private readonly fpsInput = h('input', { type: 'number', 'aria-label': 'Frames per second', min: 1 });
  private readonly interpolation = h(
    'select',
    { 'aria-label': 'Between the keys of this track', title: 'Between the keys' },
    ...['smooth', 'linear', 'step'].map((name) => h('option', { value: name }, name)),
  );
  private readonly playButton = iconButton('play', 'Play (Space)', () => this.togglePlay());
  private readonly deleteButton = iconButton('trash', 'Delete the selected key (Delete)', () => this.deleteKey());
  private selected: KeyPlace | null = null;
  private clock = 0;
  private dragging: { key: KeyPlace; gesture: string } | null = null;

  constructor(private readonly studio: Studio) {
    this.ruler.append(this.computed, this.ticks, this.head);
    this.element = h(
      'section',
      { class: 'timeline', 'aria-label': 'Timeline' },
      this.makeBar(),
      h('div', { class: 'track-area' }, this.ruler, this.rows),
    );
    this.listen();
    together([studio.content, studio.frame, studio.selection], () => this.update());
    together([studio.content, studio.computed], () => this.showComputed());
    together([studio.solved, studio.refused], () => this.showOnTheWay());
    // A simulation that cannot go on would be waited for.
    studio.refused.on((error) => error && studio.solved.value?.report.simulation && studio.playing.set(false));
    studio.playing.on((playing) => this.play(playing));
    studio.solved.on(() => this.nextWhenShown());
    new ResizeObserver(() => this.update()).observe(this.ruler);
  }

  togglePlay(): void {
    this.studio.playing.set(!this.studio.playing.value);
  }

  step(by: number): void {
    this.goTo(Math.round(this.studio.frame.value) + by);
  }

  toKey(way: 1 | -1): void {
    const frame = neighbourKey(this.tracks(), this.studio.frame.value, way);
    if (frame !== null) this.goTo(frame);
  }

  deleteKey(): void {
    const key = this.selected;
    if (!key) return;
    this.studio.setAt(key.path, withoutKey(get(this.studio.scene, key.path), key.frame), 'Delete a key');
    this.selected = null;
    this.update();
  }

  get hasSelectedKey(): boolean {
    return this.selected !== null;
  }

  goTo(frame: number): void {
    const [first, last] = framesOf(this.studio.scene);
    this.studio.frame.set(Math.min(Math.max(frame, first), last));
  }

  private makeBar(): HTMLElement {
    return h(
      'div',
      { class: 'timeline-bar' },
      iconButton('first', 'First frame (Home)', () => this.goTo(-Infinity)),
      iconButton('previousKey', 'Key before (,)', () => this.toKey(-1)),
      this.playButton,
      iconButton('nextKey', 'Next key (.)', () => this.toKey(1)),
      iconButton('last', 'Last frame (End)', () => this.goTo(Infinity)),
      this.frameInput,
      this.onTheWay,
      h('span', { class: 'spacer' }),
      this.interpolation,
      this.deleteButton,
      h('label', { class: 'range-label' }, h('span', {}, 'from'), this.firstInput),
      h('label', { class: 'range-label' }, h('span', {}, 'to'), this.lastInput),
      h('label', { class: 'range-label' }, h('span', {}, 'fps'), this.fpsInput),
    );
  }

  private listen(): void {
    const scrub = (event: PointerEvent) => this.goTo(Math.round(this.frameAt(event.clientX)));
    this.ruler.addEventListener('pointerdown', (event) => {
      this.ruler.setPointerCapture(event.pointerId);
      this.studio.playing.set(false);
      scrub(event);
    });
    this.ruler.addEventListener('pointermove', (event) => {
      if (this.ruler.hasPointerCapture(event.pointerId)) scrub(event);
    });
    this.ruler.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.step(by);
    });
    this.frameInput.addEventListener('change', () => this.goTo(this.frameInput.valueAsNumber || 0));
    const setRange = () => {
      const frames = [this.firstInput.valueAsNumber, this.lastInput.valueAsNumber].map(Math.round);
      if (frames.every(Number.isFinite) && frames[0] <= frames[1])
        this.studio.edit({ ...this.studio.scene, frames }, 'Change the frames');
      this.goTo(this.studio.frame.value);
    };
    this.firstInput.addEventListener('change', setRange);
    this.lastInput.addEventListener('change', setRange);
    this.fpsInput.addEventListener('change', () => {
      if (this.fpsInput.valueAsNumber > 0)
        this.studio.edit({ ...this.studio.scene, fps: this.fpsInput.valueAsNumber }, 'Change the speed');
    });
    this.interpolation.addEventListener('change', () => {
      if (!this.selected) return;
      const value = this.interpolation.value;
      const path = [...this.selected.path, 'interpolation'];
      this.studio.edit(set(this.studio.scene, path, value === 'smooth' ? undefined : value), 'Change the interpolation');
    });
  }

  /** Tracks of what is selected, or of everything. */
  private tracks(): Track[] {
    const { scene, selection } = this.studio;
    if (selection.value) {
      const path: Path = [selection.value.kind === 'object' ? 'objects' : 'contacts', selection.value.index];
      return tracksOf(get(scene, path), path);
    }
    return [...tracksOf(scene.objects, ['objects']), ...tracksOf(scene.contacts, ['contacts'])];
  }

  private frameAt(clientX: number): number {
    const box = this.ruler.getBoundingClientRect();
    const [first, last] = framesOf(this.studio.scene);
    return first + ((clientX - box.left) / box.width) * (last - first);
  }

  private part(frame: number): string {
    const [first, last] = framesOf(this.studio.scene);
    return `${(100 * (frame - first)) / Math.max(last - first, 1)}%`;
  }

  private update(): void {
    const { scene } = this.studio;
    const frame = this.studio.frame.value;
    const [first, last] = framesOf(scene);
    this.head.style.left = this.part(frame);
    for (const [input, value] of [
      [this.frameInput, frame],
      [this.firstInput, first],
      [this.lastInput, last],
      [this.fpsInput, fpsOf(scene)],
    ] as const)
      if (!isBeingTyped(input)) input.value = String(value);
    this.ruler.setAttribute('aria-valuemin', String(first));
    this.ruler.setAttribute('aria-valuemax', String(last));
    this.ruler.setAttribute('aria-valuenow', String(frame));
    this.showTicks(first, last);
    this.showTracks();
    const value = this.selected && get(scene, this.selected.path);
    this.deleteButton.disabled = !this.selected;
    this.interpolation.disabled = !this.selected;
    this.interpolation.value = String((value && get(value, ['interpolation'])) ?? 'smooth');
  }

  private showComputed(): void {
    this.computed.replaceChildren(
      ...this.studio.computed.value.map(([from, to]) => {
        const bar = h('span', { title: `Frames ${from} to ${to} are computed` });
        bar.style.left = this.part(from);
        bar.style.right = `calc(100% - ${this.part(to)})`;
        return bar;
      }),
    );
  }

  /** How far a simulation is on its way to the frame. */
  private showOnTheWay(): void {
    const report = this.studio.solved.value?.report;
    const waits = report?.on_the_way === true && this.studio.refused.value === null;
    this.onTheWay.textContent = waits ? `at ${report.frame} …` : '';
  }

  private showTicks(first: number, last: number): void {
    const room = Math.max(this.ruler.clientWidth / 44, 2);
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000].find((s) => (last - first) / s <= room) ?? 10000;
    const frames = [];
    for (let f = Math.ceil(first / step) * step; f <= last; f += step) frames.push(f);
    if (this.ticks.dataset.shown === frames.join()) return;
    this.ticks.dataset.shown = frames.join();
    this.ticks.replaceChildren(
      ...frames.map((f) => {
        const tick = h('span', { class: 'tick' }, String(f));
        tick.style.left = this.part(f);
        return tick;
      }),
    );
  }

  private showTracks(): void {
    if (this.dragging) return this.placeDragged();
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    const tracks = this.tracks();
    const isWhole = this.studio.selection.value === null;
    this.rows.replaceChildren(
      ...(tracks.length === 0 ? [h('p', { class: 'no-keys' }, 'No keys. The ◆ beside a number sets one.')] : []),
      ...tracks.map((track) => {
        const owner = isWhole && track.path[0] === 'objects' ? `${nameOf(objectsOf(this.studio.scene)[Number(track.path[1])])} ` : '';
        return h(
          'div',
          { class: 'track' },
          h('span', { class: 'track-label' }, owner + track.label),
          h('div', { class: 'track-line' }, ...track.frames.map((frame) => this.keyButton(track, frame))),
        );
      }),
    );
    if (focused) this.rows.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private keyButton(track: Track, frame: number): HTMLElement {
    const key: KeyPlace = { path: track.path, frame };
    const isSelected = this.selected?.frame === frame && String(this.selected.path) === String(track.path);
    const button = h(
      'button',
      {
        type: 'button',
        class: isSelected ? 'key-frame selected' : 'key-frame',
        'data-key': `${track.path.join('.')}@${frame}`,
        'aria-label': `Key of ${track.label} at frame ${frame}`,
        title: `${track.label}, frame ${frame}: drag to move, Delete to remove`,
      },
      icon('key'),
    );
    button.style.left = this.part(frame);
    button.addEventListener('click', () => this.pick(key));
    button.addEventListener('focus', () => {
      this.selected = key;
      this.deleteButton.disabled = false;
      this.interpolation.disabled = false;
    });
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      event.preventDefault();
      event.stopPropagation();
      this.moveKey(key, frame + (event.key === 'ArrowLeft' ? -1 : 1), null);
      this.update();
      this.rows.querySelector<HTMLElement>(`[data-key="${CSS.escape(`${track.path.join('.')}@${this.selected?.frame}`)}"]`)?.focus();
    });
    button.addEventListener('pointerdown', (event) => {
      button.setPointerCapture(event.pointerId);
      this.dragging = { key: { ...key }, gesture: this.studio.newGesture() };
      this.selected = key;
    });
    button.addEventListener('pointermove', (event) => {
      if (!this.dragging) return;
      const to = Math.round(this.frameAt(event.clientX));
      // A key that is dragged over another would swallow it for good.
      const taken = track.frames.includes(to) && to !== frame;
      if (to === this.dragging.key.frame || taken) return;
      this.moveKey(this.dragging.key, to, this.dragging.gesture);
      this.dragging.key.frame = to;
      button.style.left = this.part(to);
    });
    const end = () => {
      if (!this.dragging) return;
      this.dragging = null;
      this.studio.history.seal();
      this.update();
    };
    button.addEventListener('pointerup', end);
    button.addEventListener('pointercancel', end);
    return button;
  }

  private placeDragged(): void {
    this.head.style.left = this.part(this.studio.frame.value);
  }

  private pick(key: KeyPlace): void {
    if (this.dragging) return;
    const there = this.selected?.frame ?? key.frame;
    this.goTo(there);
  }

  private moveKey(key: KeyPlace, to: number, gesture: string | null): void {
    const [first, last] = framesOf(this.studio.scene);
    const within = Math.min(Math.max(to, first), last);
    const value = get(this.studio.scene, key.path);
    this.studio.setAt(key.path, withKeyMoved(value, key.frame, within), 'Move a key', gesture);
    this.selected = { path: key.path, frame: within };
  }

  private play(playing: boolean): void {
    this.playButton.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.playButton.setAttribute('aria-label', playing ? 'Pause (Space)' : 'Play (Space)');
    this.clock = performance.now();
    if (playing) this.advance();
  }

  // A frame is shown as long as the film says, or until the next one is solved.
  private nextWhenShown(): void {
    const report = this.studio.solved.value?.report;
    if (!this.studio.playing.value || report?.frame !== this.studio.frame.value || report.on_the_way) return;
    const due = this.clock + 1000 / fpsOf(this.studio.scene);
    setTimeout(() => this.advance(), Math.max(0, due - performance.now()));
  }

  private advance(): void {
    if (!this.studio.playing.value) return;
    this.clock = performance.now();
    const [first, last] = framesOf(this.studio.scene);
    const next = Math.floor(this.studio.frame.value) + 1;
    if (first === last) this.studio.playing.set(false);
    else this.studio.frame.set(next > last ? first : next);
  }
}
