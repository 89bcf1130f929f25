/** A value that tells who listens when it changes. */
export class Signal<T> {
  private listeners = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    if (Object.is(value, this.current)) return;
    this.current = value;
    for (const listener of [...this.listeners]) listener(value);
  }

  /** Changes some members of an object value. */
  patch(part: Partial<T>): void {
    this.set({ ...this.current, ...part });
  }

  /** Calls `listener` now and at every change; returns what ends that. */
  watch(listener: (value: T) => void): () => void {
    listener(this.current);
    return this.on(listener);
  }

  on(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Calls `listener` once in the next animation frame, however many of the signals change until then. */
export function together(signals: readonly { on(listener: () => void): () => void }[], listener: () => void): void {
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      listener();
    });
  };
  for (const signal of signals) signal.on(ask);
  listener();
}
