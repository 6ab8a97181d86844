import { startSession } from '../../../src/entry/sdk/open-session.js';
import type { PermissionPrompt } from '../../../src/host/session/prompts/permission-prompt.js';
import type { Session } from '../../../src/host/session/session.js';
import type { TurnOutcome } from '../../../src/host/session/turns/outcome.js';
import type { Turn } from '../../../src/host/session/turns/turn.js';
import type { Transport } from '../../../src/wire/transport/transport.js';
import { ManualClock } from '../../support/manual-clock.js';
import { rounds } from '../stage.js';
import { type CliPlan, NumberedCli } from './numbered-cli.js';

/** One action of the host, after some rounds of the event loop. */
export type HostAct = { readonly after: number } & (
  | { readonly do: 'send'; readonly reads: 'all' | 'none' | 'late'; readonly leave?: undefined }
  | { readonly do: 'send'; readonly reads: 'some'; readonly leave: number; readonly throws: boolean }
  | { readonly do: 'call'; readonly aborts: boolean }
  | { readonly do: 'interrupt' | 'close' | 'abort' | 'kill' }
  | { readonly do: 'jump'; readonly ms: number }
);

/** How the permission callback behaves, prompt by prompt. */
export type PromptManner = 'allows' | 'denies' | 'throws' | 'nonsense' | 'later' | 'never';

/** A host with its behaviour, and what its CLIs do. */
export interface HostPlan {
  readonly cli: CliPlan;
  readonly prompts: readonly PromptManner[];
  /** Whether a message to a session whose CLI has died starts another one. */
  readonly reopens: boolean;
}

/** More than a CLI ever sends. */
const NUMBERS = 100_000;

/** A turn with everything known about it. */
export interface SentTurn {
  readonly turn: Turn;
  /** Whether a reader saw it from its first message to its end. */
  readonly whole: boolean;
  readonly numbers: number[];
  outcome?: TurnOutcome;
  settled: number;
}

/** A host that follows its plan and records everything. */
export class HostProgram {
  readonly clock = new ManualClock();
  readonly owner = new AbortController();
  readonly session: Session;
  readonly turns: SentTurn[] = [];
  readonly calls: { settled: number; readonly made: Promise<unknown> }[] = [];
  /** The numbers of all messages, as one reader saw them. */
  readonly all: number[] = [];
  /** Whether the host itself ended the session. */
  endedHere = false;
  /** The started CLIs; several if the session reopens itself. */
  readonly clis: NumberedCli[] = [];
  readonly #reading: Promise<unknown>[] = [];
  readonly #manners: readonly PromptManner[];
  readonly #reopens: boolean;
  #prompts = 0;

  constructor({ cli, prompts, reopens }: HostPlan) {
    this.#manners = prompts;
    this.#reopens = reopens;
    this.session = startSession(
      {
        transport: () => this.#start(cli),
        reopen: reopens ? 'auto' : 'manual',
        signal: this.owner.signal,
        deadlineMs: 1_000,
        buffer: { messages: 3, characters: 500 },
        onPermission: (prompt) => this.#decide(prompt),
      },
      { clock: this.clock },
    );
    this.#reading.push(this.#readAll());
  }

  /** Runs everything, ends the session, and waits for everything that was started. */
  async run(acts: readonly HostAct[]): Promise<void> {
    for (const act of acts) {
      await rounds(act.after);
      this.#act(act);
    }
    await rounds(60);
    // Unanswered requests settle at their deadline, and an unlifted pause at its own.
    for (let step = 0; step < 10; step += 1) {
      this.clock.advance(5_000);
      await rounds(3);
    }
    await this.session.close();
    await Promise.all([
      ...this.#reading,
      ...this.calls.map(({ made }) => made),
      ...this.turns.map(({ turn }) => turn.outcome),
    ]);
  }

  /** Only the first CLI has the fault. */
  #start(plan: CliPlan): Transport {
    const first = this.clis.length * NUMBERS + 1;
    const cli = new NumberedCli(this.clis.length === 0 ? plan : { ...plan, death: undefined }, first);
    this.clis.push(cli);
    return cli.transport;
  }

  #act(act: HostAct): void {
    switch (act.do) {
      case 'send':
        this.#send(act);
        return;
      case 'call':
        this.#call(act.aborts);
        return;
      case 'interrupt':
        this.#note(this.session.interrupt());
        return;
      case 'jump':
        this.clock.advance(act.ms);
        return;
      case 'kill':
        this.clis.at(-1)?.kill();
        return;
      default:
        this.endedHere = true;
        if (act.do === 'abort') this.owner.abort();
        else void this.session.close();
    }
  }

  #send(act: Extract<HostAct, { do: 'send' }>): void {
    if (this.endedHere || (this.session.state === 'ended' && !this.#reopens)) return;
    const turn = this.session.send('go');
    const sent: SentTurn = { turn, whole: act.reads === 'all', numbers: [], settled: 0 };
    this.turns.push(sent);
    void turn.outcome.then((outcome) => {
      sent.outcome = outcome;
      sent.settled += 1;
    });
    if (act.reads === 'none') return;
    this.#reading.push(this.#read(sent, act));
  }

  async #read(sent: SentTurn, act: Extract<HostAct, { do: 'send' }>): Promise<void> {
    if (act.reads === 'late') await sent.turn.outcome;
    let left = act.reads === 'some' ? act.leave : Number.POSITIVE_INFINITY;
    try {
      for await (const { n } of sent.turn) {
        sent.numbers.push(Number(n));
        left -= 1;
        if (left > 0) continue;
        if (act.reads === 'some' && act.throws) throw new Error('the reader has had enough');
        break;
      }
    } catch {
      // The end of the CLI is an outcome too, which is checked.
    }
  }

  #call(aborts: boolean): void {
    const caller = new AbortController();
    this.#note(this.session.control('mcp_status', {}, { signal: caller.signal }));
    if (aborts) setImmediate(() => caller.abort());
  }

  #note(made: Promise<unknown>): void {
    const call = { settled: 0, made: made.catch(() => {}) };
    void call.made.then(() => {
      call.settled += 1;
    });
    this.calls.push(call);
  }

  async #readAll(): Promise<void> {
    try {
      for await (const { n } of this.session.messages()) this.all.push(Number(n));
    } catch {
      // Everybody is notified of the CLI's end.
    }
  }

  #decide(prompt: PermissionPrompt) {
    const manner = this.#manners[this.#prompts++ % Math.max(1, this.#manners.length)] ?? 'allows';
    if (manner === 'throws') throw new Error('on purpose');
    if (manner === 'nonsense') return { behavior: 'allow' } as never;
    if (manner === 'never') return new Promise<never>(() => {});
    if (manner === 'later')
      return new Promise<void>((resolve) => setImmediate(resolve)).then(() => prompt.allow());
    return manner === 'allows' ? prompt.allow() : prompt.deny('no');
  }
}
