import type { Clock } from '../../../wire/util/clock.js';

/** Gateways with viewers report three times per period; one that does not is gone. */
export const VIEWERS_MS = 60_000;

/** The gateways with viewers of a conversation: they keep its CLI from being parked, as a viewer does on one machine. */
export class GatewayViewers {
  readonly #clock: Clock;
  readonly #onChange: (by: 1 | -1) => void;
  readonly #gateways = new Map<string, () => void>();

  constructor(clock: Clock, onChange: (by: 1 | -1) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#gateways.size;
  }

  /** How many viewers a gateway has. */
  heard(gateway: string, viewers: number): void {
    const stopTimer = this.#gateways.get(gateway);
    stopTimer?.();
    this.#gateways.delete(gateway);
    if (viewers > 0)
      this.#gateways.set(
        gateway,
        this.#clock.after(VIEWERS_MS, () => this.heard(gateway, 0)),
      );
    const by = Number(viewers > 0) - Number(stopTimer !== undefined);
    if (by === 1 || by === -1) this.#onChange(by);
  }

  close(): void {
    for (const stopTimer of this.#gateways.values()) stopTimer();
    this.#gateways.clear();
  }
}
