/** Undo and redo of a value that is never changed in place. */

export interface Step<T> {
  readonly state: T;
  /** What was done to come here: "Move ball". */
  readonly what: string;
}

export interface HistoryRecord<T> {
  past: Step<T>[];
  present: Step<T>;
  future: Step<T>[];
}

const deepest = 200;

export class History<T> {
  private past: Step<T>[] = [];
  private future: Step<T>[] = [];
  private present: Step<T>;
  private gesture: string | null = null;

  constructor(state: T) {
    this.present = { state, what: '' };
  }

  get state(): T {
    return this.present.state;
  }

  get undoes(): string | null {
    return this.past.length > 0 ? this.present.what : null;
  }

  get redoes(): string | null {
    return this.future.length > 0 ? this.future[this.future.length - 1].what : null;
  }

  /** Changes with the same `gesture`, one after the other, are one step: a drag is undone as a whole. */
  apply(state: T, what: string, gesture: string | null = null): void {
    if (state === this.present.state) return;
    const goesOn = gesture !== null && gesture === this.gesture;
    if (!goesOn) {
      this.past.push(this.present);
      if (this.past.length > deepest) this.past.shift();
    }
    this.present = { state, what };
    this.future = [];
    this.gesture = gesture;
  }

  /** The next change is a step of its own, whatever its gesture. */
  seal(): void {
    this.gesture = null;
  }

  undo(): boolean {
    const before = this.past.pop();
    if (!before) return false;
    this.future.push(this.present);
    this.present = before;
    this.gesture = null;
    return true;
  }

  redo(): boolean {
    const after = this.future.pop();
    if (!after) return false;
    this.past.push(this.present);
    this.present = after;
    this.gesture = null;
    return true;
  }

  reset(state: T): void {
    this.past = [];
    this.future = [];
    this.present = { state, what: '' };
    this.gesture = null;
  }

  record(): HistoryRecord<T> {
    return { past: [...this.past], present: this.present, future: [...this.future] };
  }

  restore(record: HistoryRecord<T>): void {
    this.past = [...record.past];
    this.present = record.present;
    this.future = [...record.future];
    this.gesture = null;
  }
}
