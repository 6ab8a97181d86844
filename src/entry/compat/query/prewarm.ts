import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { homeOf } from '../../../wire/transport/process/system.js';
import { deferred } from '../../../wire/util/deferred.js';
import { errorText } from '../../../wire/util/error-text.js';
import { abortedEarly } from '../errors.js';
import { checkOptions } from '../options/check-official-options.js';
import { givenOptions } from '../options/given.js';
import type { Prompt } from '../run/input.js';
import { Conversation } from '../run/query-conversation.js';
import type { Options, OwnParams } from '../types/option-types.js';
import type { ClaimInfo, ClaimOptions, Query, SpareProcess } from '../types/query-types.js';
import { type ClaimRequests, claimRequests } from './claim-requests.js';
import { QueryRun } from './query-run.js';
import { STARTUP_MS } from './startup.js';

/**
 * Starts a CLI before its folder is known, and waits until it is ready. Needs a CLI with `--await-claim`; rejects
 * with the reason if it does not become ready.
 */
export async function prewarm({
  initializeTimeoutMs = STARTUP_MS,
  record,
  ...params
}: { options?: Options; initializeTimeoutMs?: number } & OwnParams = {}): Promise<SpareProcess> {
  const options = givenOptions(params.options);
  const signal = options.abortController?.signal;
  if (signal?.aborted === true) throw abortedEarly(signal.reason);
  checkOptions(options, record);
  const folder = options.cwd === undefined ? await parkingFolder(options) : undefined;
  const conversation = new Conversation(
    { ...options, ...(folder === undefined ? {} : { cwd: folder }) },
    { warm: true, parked: true, handshakeMs: initializeTimeoutMs, record },
  );
  const remove = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    await conversation.initialized;
  } catch (error) {
    await remove();
    throw error;
  }
  void conversation.exited.then(remove);
  return new Spare(conversation);
}

/** Where the CLI waits: a private folder that no session uses. */
async function parkingFolder({ env = process.env }: Options): Promise<string> {
  const config = env.CLAUDE_CONFIG_DIR ?? join(homeOf(env), '.claude');
  const parent = join(config, 'spares');
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return mkdtemp(join(parent, 'spare-'));
}

/** A CLI that waits for its folder and its first prompt. */
export class Spare implements SpareProcess {
  readonly claimed: Promise<ClaimInfo>;
  readonly exited: Promise<void>;
  readonly #conversation: Conversation;
  readonly #run: QueryRun;
  readonly #claimed = deferred<ClaimInfo>();
  #state: 'parked' | 'claimed' | 'over' = 'parked';

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    this.#run = new QueryRun(conversation);
    this.claimed = this.#claimed.promise;
    // An unhandled rejection here must not end the process.
    this.claimed.catch(() => {});
    this.exited = conversation.exited;
    void this.exited.then(() => this.#over('spare_exited: the spare process exited before it was claimed'));
  }

  claim({ prompt, options }: { prompt: Prompt; options: ClaimOptions }): Query {
    if (this.#state === 'claimed') throw new Error('SpareProcess.claim() can only be called once');
    if (this.#state === 'over') throw new Error(CLOSED);
    const { cwd } = options;
    const folder = typeof cwd === 'string' && !cwd.startsWith('~') ? { cwd: resolve(cwd) } : {};
    const requests = claimRequests({ ...options, ...folder }, this.#conversation.fields.sdkMcpServers);
    this.#state = 'claimed';
    void this.#bind(prompt, requests);
    return this.#run;
  }

  close(): void {
    this.#over('spare_closed: the spare was closed before it was claimed');
    this.#run.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#run[Symbol.asyncDispose]();
  }

  #over(why: string): void {
    if (this.#state === 'parked') this.#claimed.reject(new Error(why));
    this.#state = this.#state === 'parked' ? 'over' : this.#state;
  }

  /** Sends everything immediately, and the prompt once the session has its folder and the settings are in effect. */
  async #bind(prompt: Prompt, requests: ClaimRequests): Promise<void> {
    const { claim, overlays, options } = this.#send(requests);
    const [claimed, [refused]] = await Promise.all([claim, overlays]);
    const info = claimed.status === 'fulfilled' ? { claim: claimInfo(claimed.value) } : {};
    if (refused !== undefined) {
      const ending = 'the prompt was not sent and the process was closed; start the session with query()';
      this.#claimed.reject(Object.assign(new Error(`settings_not_applied: ${refused} — ${ending}`), info));
      this.#run.close();
      return;
    }
    // The CLI itself answers a refused claim: the prompt gets an error result.
    void this.#conversation.write(prompt);
    if (claimed.status === 'rejected') {
      this.#claimed.reject(claimed.reason);
      return;
    }
    const missed = await options;
    if (missed.length === 0) this.#claimed.resolve(claimInfo(claimed.value));
    else {
      const ending = 'the prompt was sent and the session runs without these options';
      const words = `option_not_applied: ${missed.join('; ')} — ${ending}`;
      this.#claimed.reject(Object.assign(new Error(words), info));
    }
  }

  #send({ ahead, claim, others, behind }: ClaimRequests) {
    const ask = (subtype: string, params: WireObject) => this.#conversation.ask(subtype, params);
    const overlay = (settings: WireObject) => ask('apply_flag_settings', { settings });
    const first = ahead.map(overlay);
    const claiming = ask('claim_session', claim);
    const rest = others.map(([, subtype, params]) => ask(subtype, params));
    const last = behind.map(overlay);
    this.#conversation.describe(claiming);
    return {
      claim: Promise.allSettled([claiming]).then(([settled]) => settled),
      overlays: problemsOf([...first, ...last]),
      options: problemsOf(
        rest,
        others.map(([name]) => `${name}: `),
      ),
    };
  }
}

/** The errors of some requests, each with its name. */
async function problemsOf(
  requests: readonly Promise<unknown>[],
  names: readonly string[] = [],
): Promise<readonly string[]> {
  const settled = await Promise.allSettled(requests);
  return settled.flatMap((each, index) =>
    each.status === 'rejected' ? [`${names[index] ?? ''}${errorText(each.reason)}`] : [],
  );
}

const CLOSED = 'SpareProcess.claim(): the spare was closed or has exited; start the session with query()';

function claimInfo({
  cwd,
  session_id: id,
  parked_ms: parkedMs,
  sdk_mcp_settled: settled,
}: WireObject): ClaimInfo {
  return {
    cwd: String(cwd),
    sessionId: String(id),
    ...(typeof parkedMs === 'number' ? { parkedMs } : {}),
    sdkMcpSettled: settled === true,
  };
}
