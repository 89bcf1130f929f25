/** Keeps the work of this tab in IndexedDB, so that a reload loses nothing. */

import type { HistoryRecord } from './document/history';
import type { Content } from './document/scene';
import type { OpenFile, Studio } from './studio';

export interface TabRecord {
  history: HistoryRecord<Content>;
  file: OpenFile;
  frame: number;
  when: number;
}

const database = 'knead-studio';
const delay = 200;
const keptTabs = 12;

function wait<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class Store {
  private constructor(
    private readonly db: IDBDatabase,
    private readonly tab: string,
  ) {}

  static async open(): Promise<Store> {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('tabs');
      request.result.createObjectStore('blobs');
    };
    let tab = sessionStorage.getItem('tab');
    if (!tab) {
      tab = crypto.randomUUID();
      sessionStorage.setItem('tab', tab);
    }
    return new Store(await wait(request), tab);
  }

  /** What this tab had, or null when it is new. */
  async load(): Promise<TabRecord | null> {
    return (await wait(this.db.transaction('tabs').objectStore('tabs').get(this.tab))) ?? null;
  }

  /** What another tab left last, for going on where one stopped. */
  async latest(): Promise<TabRecord | null> {
    const records: TabRecord[] = await wait(this.db.transaction('tabs').objectStore('tabs').getAll());
    return records.sort((a, b) => b.when - a.when)[0] ?? null;
  }

  async loadBlobs(record: TabRecord, blobs: Map<string, Uint8Array>): Promise<void> {
    const steps = [...record.history.past, record.history.present, ...record.history.future];
    const hashes = new Set(steps.flatMap((step) => Object.values(step.state.assets)));
    const store = this.db.transaction('blobs').objectStore('blobs');
    for (const hash of hashes) {
      const bytes: Uint8Array | undefined = await wait(store.get(hash));
      if (bytes) blobs.set(hash, bytes);
    }
  }

  async saveBlob(hash: string, bytes: Uint8Array): Promise<void> {
    await wait(this.db.transaction('blobs', 'readwrite').objectStore('blobs').put(bytes, hash));
  }

  /** Writes a while after every change, and at once when the page goes away. */
  follow(studio: Studio): void {
    let timer: number | undefined;
    const write = () => {
      timer = undefined;
      const record: TabRecord = {
        history: studio.history.record(),
        file: studio.file.value,
        frame: studio.frame.value,
        when: Date.now(),
      };
      this.db.transaction('tabs', 'readwrite').objectStore('tabs').put(record, this.tab);
    };
    const soon = () => {
      timer ??= window.setTimeout(write, delay);
    };
    for (const signal of [studio.content, studio.file, studio.frame]) (signal as { on(f: () => void): void }).on(soon);
    window.addEventListener('pagehide', () => timer !== undefined && write());
    void this.forgetOld();
  }

  private async forgetOld(): Promise<void> {
    const store = this.db.transaction('tabs', 'readwrite').objectStore('tabs');
    const keys = await wait(store.getAllKeys());
    const records: TabRecord[] = await wait(store.getAll());
    const byAge = keys.map((key, i) => ({ key, when: records[i].when })).sort((a, b) => b.when - a.when);
    for (const { key } of byAge.slice(keptTabs)) if (key !== this.tab) store.delete(key);
  }
}

/** Restores what the record holds; identity of the saved scene decides whether there are unsaved changes. */
export function restore(studio: Studio, record: TabRecord): void {
  studio.history.restore(record.history);
  studio.file.set(record.file);
  studio.frame.set(record.frame);
  studio.takeHistory();
  studio.selection.set({ kind: 'object', index: 0 });
}
