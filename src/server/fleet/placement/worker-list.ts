import { isObject } from '../../../wire/protocol/frames.js';
import type { Engine } from '../engine/engine.js';
import { jsonOf, watchBucket } from '../engine/watch-bucket.js';
import type { WorkerFacts } from '../worker/worker-options.js';

/** Where in the workers' bucket it stands who gives conversations to workers. */
export const PLACER = 'placer';

/** The workers that are alive, as the engine tells. */
export class WorkerList {
  readonly #workers = new Map<string, WorkerFacts>();
  #stop: () => void = () => {};

  /** Resolves when all are known that are there now. */
  async open({ workers }: Engine, onChange: () => void): Promise<void> {
    this.#stop = await watchBucket(workers, (entry) => {
      // Others are no workers.
      if (entry.key.includes('.') || entry.key === PLACER) return;
      const facts = jsonOf(entry);
      if (isObject(facts)) this.#workers.set(entry.key, facts as unknown as WorkerFacts);
      else this.#workers.delete(entry.key);
      onChange();
    });
  }

  get all(): readonly WorkerFacts[] {
    return [...this.#workers.values()];
  }

  has(worker: string | undefined): boolean {
    return worker !== undefined && this.#workers.has(worker);
  }

  /** A worker has told something before its next sign of life. */
  note(worker: string, facts: Partial<WorkerFacts>): void {
    const known = this.#workers.get(worker);
    if (known !== undefined) this.#workers.set(worker, { ...known, ...facts });
  }

  close(): void {
    this.#stop();
  }
}
