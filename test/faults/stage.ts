import { expect } from 'vitest';
import { startSession } from '../../src/entry/sdk/open-session.js';
import type { Session } from '../../src/host/session/session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import { type EmulatedCli, emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Transport } from '../../src/wire/transport/transport.js';
import { ManualClock } from '../support/manual-clock.js';
import { settle } from '../support/settle.js';
import type { FaultCase } from './rows.js';
import { outcomeInWords, Reports, readToTheEnd, settledAs } from './seen.js';

/** What happens on a stage: it leaves in `seen` what the user saw. */
export type Play = (stage: Stage) => Promise<void>;

/** A session with an emulated CLI, on a clock that only the play moves: whatever settles without that settles at once. */
export class Stage {
  readonly clock = new ManualClock();
  readonly owner = new AbortController();
  readonly reports = new Reports();
  readonly seen: Record<string, string> = {};
  readonly row: FaultCase;
  readonly version: string;
  /** How many CLIs were started. */
  starts = 0;
  #cli: EmulatedCli | undefined;
  #session: Session | undefined;

  constructor(row: FaultCase, version: string) {
    this.row = row;
    this.version = version;
  }

  get session(): Session {
    if (this.#session === undefined) throw new Error('no session was started');
    return this.#session;
  }

  get cli(): EmulatedCli {
    if (this.#cli === undefined) throw new Error('no CLI was emulated');
    return this.#cli;
  }

  /** What follows the colon in the name of the play. */
  get argument(): string {
    return this.row.run.split(':')[1] ?? '';
  }

  /** Starts a session that gets a new CLI with this scenario for each start. */
  startEach(scenario: Scenario, options: SessionOptions = {}): Session {
    return this.#begin({ transport: () => this.#emulate(scenario), ...options });
  }

  /** Starts a session; its CLI also answers the message that checks whether the session continues. */
  start(scenario: Scenario, options: SessionOptions = {}): Session {
    return this.#begin({ transport: this.#emulate(scenario), ...options });
  }

  /** Starts a session and waits until it is open, or has failed. */
  async open(scenario: Scenario, options: SessionOptions = {}): Promise<Session> {
    const session = this.start(scenario, options);
    this.seen.open = await settledAs(session.ready, () => 'ready');
    return session;
  }

  /** Sends a message and reads its turn, until both have ended. */
  async turn(onMessage?: (message: unknown) => unknown): Promise<Turn> {
    const turn = this.session.send('go');
    this.seen.reader = await readToTheEnd(turn, onMessage);
    this.seen.turn = outcomeInWords(await turn.outcome);
    return turn;
  }

  /** Records how a call settled. */
  async call(call: Promise<unknown> = this.session.control('mcp_status')): Promise<void> {
    this.seen.call = await settledAs(call, () => 'answered');
  }

  /** Shows that the session continues. */
  async next(): Promise<void> {
    this.seen.next = outcomeInWords(await this.session.send('next').outcome);
  }

  /** Lets a deadline pass, and proves that everything waited until then. */
  async due(ms: number, waiting: Promise<unknown>): Promise<void> {
    let settled = false;
    const note = () => {
      settled = true;
    };
    void waiting.then(note, note);
    await rounds();
    this.clock.advance(ms - 1);
    await rounds();
    expect(settled, 'settled before the deadline').toBe(false);
    this.clock.advance(1);
    await waiting.catch(() => {});
  }

  #begin(options: SessionOptions): Session {
    this.#session = startSession(
      {
        signal: this.owner.signal,
        onDiagnostic: this.reports.onDiagnostic,
        ...this.row.options,
        ...options,
      },
      { clock: this.clock },
    );
    return this.#session;
  }

  #emulate(scenario: Scenario): Transport {
    const whole = [...scenario, onUser('next', [say('next')], { times: 'any' })];
    this.starts += 1;
    this.#cli = emulateCli(whole, { version: this.version, closeWaitMs: 1 });
    return this.#cli.transport;
  }
}

/** Lets everything happen that needs no time. */
export function rounds(count = 20): Promise<void> {
  return settle(count);
}
