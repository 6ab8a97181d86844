import type { SimProcess } from './processes.js';
import type { World } from './world.js';

/** How long a CLI may take to write a message to its transcript; it does so even if it is killed meanwhile. */
export const TRANSCRIPT_LAG_MS = 400;
/** How often a turn has a prompt. */
const ASKS = 0.25;

/** What outlives processes: transcripts, and the effects of messages on the world. */
export class Outside {
  readonly transcript = new Set<string>();
  /** How often each message had an effect. */
  readonly effects = new Map<string, number>();
}

/** What happens to a message or a prompt, step by step. */
export type Step = 'handed' | 'given' | 'started' | 'prompted' | 'told' | 'settled';

/** What a simulated CLI needs. */
export interface CliParts {
  readonly world: World;
  readonly process: SimProcess;
  readonly outside: Outside;
  readonly onStep: (step: Step, uuid: string) => void;
}

/** What a CLI tells its session about a message; `asks` names a prompt. */
export type Tell = (what: 'started' | 'piece' | 'asks' | 'settled', uuid: string, prompt?: string) => void;

/** A CLI: messages wait in its stdin and are lost with it; a message has its effect when its turn starts. */
export class SimCli {
  readonly #parts: CliParts;
  readonly #tell: Tell;
  readonly #onEnd: () => void;
  /** What goes on when a prompt is answered. */
  readonly #asked = new Map<string, () => void>();
  readonly #stdin: string[] = [];
  #isBusy = false;
  #isDead = false;

  constructor(parts: CliParts, tell: Tell, onEnd: () => void) {
    this.#parts = parts;
    this.#tell = tell;
    this.#onEnd = onEnd;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#onEnd();
  }

  answer(prompt: string): void {
    this.#asked.get(prompt)?.();
    this.#asked.delete(prompt);
  }

  write(uuid: string): void {
    this.#stdin.push(uuid);
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    const { world, outside, onStep } = this.#parts;
    this.#isBusy = true;
    for (let uuid = this.#stdin.shift(); uuid !== undefined; uuid = this.#stdin.shift()) {
      const own = uuid;
      await world.sleep(world.upTo(200));
      if (this.#isDead) return;
      outside.effects.set(own, (outside.effects.get(own) ?? 0) + 1);
      world.after(world.upTo(TRANSCRIPT_LAG_MS), () => void outside.transcript.add(own));
      onStep('started', own);
      this.#say('started', own);
      for (let pieces = world.upTo(3); pieces > 0; pieces -= 1) {
        await world.sleep(world.upTo(300));
        this.#say('piece', own);
      }
      if (world.chance(ASKS)) await this.#ask(own);
      if (this.#isDead) return;
      await world.sleep(100 + world.upTo(2_500));
      if (this.#isDead) return;
      this.#say('settled', own);
    }
    this.#isBusy = false;
  }

  /** Asks whether it may call a tool, and waits for the answer as long as it lives. */
  async #ask(uuid: string): Promise<void> {
    const prompt = this.#parts.world.uuid();
    const answered = new Promise<void>((resolve) => void this.#asked.set(prompt, resolve));
    this.#say('asks', uuid, prompt);
    await answered;
  }

  /** Its host hears it when it runs. */
  #say(what: Parameters<Tell>[0], uuid: string, prompt?: string): void {
    this.#parts.process.clock.after(0, () => {
      if (!this.#isDead) this.#tell(what, uuid, prompt);
    });
  }
}
