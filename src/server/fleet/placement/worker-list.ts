import type { WorkersView } from '../../../entry/remote/contract.js';
import { kinds, listOf, openShape } from '../../../wire/util/option-checks.js';
import type { Engine } from '../engine/engine.js';
import type { WorkerFacts } from '../worker/worker-options.js';

/** The key among the leases that names the placer. */
export const PLACER = 'placer';

/** What a worker says of itself; one of another version may say more. */
const facts = openShape(
  {
    worker: kinds.text,
    slots: kinds.number,
    used: kinds.count,
    labels: listOf(kinds.anyText),
    roots: listOf(kinds.anyText),
    draining: kinds.flag,
  },
  { host: kinds.anyText, idle: kinds.count, cliVersion: kinds.anyText, disk: kinds.text },
);

/** The live workers, as the engine reports them. */
export class WorkerList {
  readonly #workers = new Map<string, WorkerFacts>();
  #stop: () => void = () => {};

  /** Resolves when all existing ones are known. */
  async open({ leases }: Engine, onChange: () => void): Promise<void> {
    this.#stop = await leases.watch(({ key, value }) => {
      // Other keys are not workers.
      if (key.includes('.') || key === PLACER) return;
      if (facts.accepts(value)) this.#workers.set(key, value as WorkerFacts);
      else this.#workers.delete(key);
      onChange();
    });
  }

  get all(): readonly WorkerFacts[] {
    return [...this.#workers.values()];
  }

  /** What conversations can require of a worker. */
  get offers(): WorkersView {
    return {
      labels: sorted(this.all.flatMap(({ labels }) => labels)),
      cliVersions: sorted(this.all.flatMap(({ cliVersion }) => cliVersion ?? [])),
    };
  }

  has(worker: string | undefined): boolean {
    return worker !== undefined && this.#workers.has(worker);
  }

  /** A worker has reported something before its next heartbeat. */
  note(worker: string, news: Partial<WorkerFacts>): void {
    const known = this.#workers.get(worker);
    if (known !== undefined) this.#workers.set(worker, { ...known, ...news });
  }

  close(): void {
    this.#stop();
  }
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
