import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { startSession } from '../../src/entry/sdk/open-session.js';
import type { PermissionPrompt } from '../../src/host/session/prompts/permission-prompt.js';
import type { Session } from '../../src/host/session/session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { hostKeeper } from '../../src/wire/transport/process/keeper.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { eventually, eventuallyEmpty } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import {
  type Carrier,
  carriers,
  expectNoListener,
  type Holdings,
  holdings,
  kill,
  nothingMoreThan,
} from './leftovers.js';
import { outcomeInWords, Reports, readToTheEnd, settledAs } from './seen.js';
import type { Seen } from './table.mjs';

const CLI = resolve('test/fixtures/cli/has-faults.sh');
const LATER_THAN_A_BROKEN_PIPE_MS = 2_000;

let tmp = '';
let privateFiles = '';
let rows = 0;

/** Gives the tests of a file a temporary folder of their own, in which every leftover shows. */
export function usePrivateFolder(): void {
  beforeAll(() => {
    tmp = mkdtempSync(join(tmpdir(), 'faults-'));
    privateFiles = join(tmp, 'private');
    mkdirSync(privateFiles);
    vi.stubEnv('TMPDIR', privateFiles);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(tmp, { recursive: true, force: true });
  });
}

/** A fault of the script, and its phase. */
export interface ScriptFault {
  readonly phase: string;
  readonly run: string;
  readonly options?: SessionOptions;
}

/** A session with a CLI that has this fault, and everything that its user sees. */
export class ScriptedSession {
  readonly id = `fault-row-${process.pid}-${rows}-`;
  readonly clock = new ManualClock();
  readonly owner = new AbortController();
  readonly reports = new Reports();
  readonly session: Session;
  readonly seen: Record<string, string> = {};
  readonly #row: ScriptFault;
  readonly #before: Holdings = holdings();
  /** Leftovers of a failed row are reported there, and do not count for others. */
  readonly #earlier = new Set(remains().map(nameOf));
  readonly #saw = new Set<string>();
  readonly #prompt = deferred<PermissionPrompt>();

  constructor(row: ScriptFault) {
    rows += 1;
    this.#row = row;
    const cwd = join(tmp, this.id);
    mkdirSync(cwd);
    const env = { FAULT_AT: row.phase, FAULT: row.run, FAULT_ROW: this.id };
    this.session = startSession(
      {
        cli: CLI,
        cwd,
        env: row.phase === 'tool' || row.phase === 'prompt' ? env : { ...env, FAULT_PLAIN: 'yes' },
        // A long value makes a private file.
        settings: { env: { LONG: 'x'.repeat(20_000) } },
        ending: { eofMs: 150, termMs: 150, killMs: 5_000 },
        signal: this.owner.signal,
        onPermission: (prompt) => this.#prompted(prompt),
        onDiagnostic: this.reports.onDiagnostic,
        onMessage: ({ subtype, what }) => subtype === 'saw' && this.#saw.add(String(what)),
        ...row.options,
      },
      { clock: this.clock },
    );
  }

  /** Does what a user does in this phase, until everything has settled. */
  async live(see: Seen): Promise<void> {
    if (this.#row.phase === 'spawn' && see.close !== undefined) await this.#close();
    this.seen.open = await settledAs(this.session.ready, () => 'ready');
    if (this.seen.open !== 'ready') return;
    await this.#phases[this.#row.phase]?.(see);
  }

  /** Closes the session and looks for leftovers. */
  async leaveNothing(): Promise<void> {
    await this.session.close();
    expect(this.session.state).toBe('ended');
    expect(this.clock.size).toBe(0);
    expectNoListener(this.owner.signal);
    expect(this.#processes()).toEqual([]);
    const left = () => remains().filter((each) => !this.#earlier.has(nameOf(each)));
    await eventuallyEmpty(left);
    await nothingMoreThan(this.#before);
  }

  /** Ends the processes of a row that failed. */
  [Symbol.dispose](): void {
    for (const { pid } of this.#processes()) kill(pid);
  }

  /** The CLI and everything it started; the keeper has its own environment. */
  #processes(): Carrier[] {
    return carriers(`FAULT_ROW=${this.id}`);
  }

  readonly #phases: Readonly<Record<string, (see: Seen) => Promise<void>>> = {
    idle: (see) => this.#idle(see),
    call: async () => {
      this.seen.call = await settledAs(this.session.control('mcp_status'), () => 'answered');
    },
    turn: (see) => this.#turn(see),
    prompt: (see) => this.#turn(see),
    tool: (see) => this.#turn(see),
    closing: () => this.#close(),
  };

  async #idle(see: Seen): Promise<void> {
    const { session } = this;
    const messages = settledAs(
      (async () => {
        for await (const _message of session.messages());
      })(),
      () => 'ends',
    );
    process.kill(session.pid ?? 0, 'SIGUSR2');
    if (see.call === undefined) {
      this.seen.messages = await messages;
      return;
    }
    await this.#inputClosed();
    const call = settledAs(session.control('mcp_status'), () => 'answered');
    const turn = this.#turn(see);
    // The deadline of the call, and the wait for an explanation of the broken pipe.
    await eventually(() => this.clock.size >= 2);
    this.clock.advance(LATER_THAN_A_BROKEN_PIPE_MS);
    this.seen.call = await call;
    await turn;
  }

  async #turn(see: Seen): Promise<void> {
    const turn = this.session.send('go');
    const reader = readToTheEnd(turn);
    if (see.close !== undefined) {
      await turn.began;
      await this.#close();
    }
    this.seen.turn = outcomeInWords(await turn.outcome);
    this.seen.reader = await reader;
    if (see.prompt !== undefined) this.seen.prompt = (await this.#prompt.promise).state;
    if (see.reopen !== undefined) await this.#reopen();
  }

  async #close(): Promise<void> {
    this.seen.close = await settledAs(this.session.close());
    const said = [...this.#saw].join(', ');
    if (said !== '') this.seen.said = said;
  }

  async #reopen(): Promise<void> {
    await this.session.close();
    this.seen.reopen = await settledAs(this.session.reopen(), () => 'ready');
  }

  #prompted(prompt: PermissionPrompt) {
    this.#prompt.resolve(prompt);
    if (this.#row.run.endsWith('<&-')) return this.#answerLate(prompt);
    return this.#row.phase === 'tool' ? prompt.allow() : prompt.defer();
  }

  /** Answers once the CLI has closed its input, and lets the time pass in which a broken pipe may be explained. */
  async #answerLate(prompt: PermissionPrompt) {
    await this.#inputClosed();
    const answer = prompt.allow();
    await eventually(() => this.clock.size > 0);
    this.clock.advance(LATER_THAN_A_BROKEN_PIPE_MS);
    return answer;
  }

  /** The script was replaced by a program that sleeps without an input. */
  #inputClosed(): Promise<void> {
    return eventually(() => this.#processes().some(({ command }) => command.startsWith('sleep')));
  }
}

/** The processes that know the folder for private files, and its contents. One keeper rests for a while. */
function remains(): (Carrier | string)[] {
  return [...carriers(tmp).filter(({ pid }) => pid !== hostKeeper().pid), ...readdirSync(privateFiles)];
}

function nameOf(left: Carrier | string): number | string {
  return typeof left === 'string' ? left : left.pid;
}
