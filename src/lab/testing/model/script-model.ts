import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { checkReply } from './check-reply.js';
import { checkScript } from './check-script.js';
import { deliver, sendError } from './delivery.js';
import { estimateTokens, type MakeId } from './message.js';
import { PromptCache } from './prompt-cache.js';
import { isErrorReply, type Reply, text, toMessage } from './replies.js';
import { isSideCall, type ModelRequest, type RawRequest, type RequestKind, readRequest } from './request.js';
import { RequestLog, RequestWaiters } from './request-log.js';
import { type Route, readRoute, sendJson } from './routes.js';
import type { Script } from './script.js';
import { ScriptRunner } from './script-runner.js';
import { checkModelOptions, type ScriptedModel, type ScriptModelOptions } from './scripted-model.js';

/**
 * Starts a scripted model that serves the Messages API on 127.0.0.1. @throws CoxswainError `OPTION_INVALID` naming the
 * wrong place in the script or options.
 */
export async function scriptModel(script: Script, options: ScriptModelOptions = {}): Promise<ScriptedModel> {
  const checked = checkScript(script);
  checkModelOptions(options);
  const model = new LoopbackModel(checked, options);
  await model.listen(options.port ?? 0);
  return model;
}

class LoopbackModel implements ScriptedModel {
  readonly #options: ScriptModelOptions;
  readonly #runner: ScriptRunner;
  readonly #server: Server;
  readonly #log: RequestLog;
  readonly #waiters = new RequestWaiters();
  readonly #makeId: MakeId;
  readonly #cache: PromptCache | undefined;
  #count = 0;
  #port = 0;
  #closed: Promise<void> | undefined;

  constructor(script: Script, options: ScriptModelOptions) {
    this.#options = options;
    this.#runner = new ScriptRunner(script);
    this.#log = new RequestLog({ count: options.maxKeptRequests ?? 500, bytes: MAX_KEPT_BYTES });
    if (options.promptCache === true) this.#cache = new PromptCache();
    this.#makeId = options.makeId ?? countedIds();
    this.#server = createServer((request, out) => void this.#serve(request, out));
    // CLIs keep connections for reuse: closing one first can lose a request. close() ends them all.
    this.#server.keepAliveTimeout = 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  get requests(): readonly ModelRequest[] {
    return this.#log.kept;
  }

  get finished(): boolean {
    return this.#runner.finished;
  }

  report(): string {
    return this.#runner.report();
  }

  assertFinished(): void {
    this.#runner.assertFinished();
  }

  async waitForRequest(
    fits: (request: ModelRequest) => boolean,
    { timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {},
  ): Promise<ModelRequest> {
    const found = this.requests.find(fits);
    if (found !== undefined) return found;
    return this.#waiters.wait(fits, timeoutMs, () => this.report());
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      const problem = errorText(error);
      throw new CoxswainError('MODEL_NOT_STARTED', `The model cannot listen on port ${port}: ${problem}.`, {
        cause: error,
      });
    }
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : port;
  }

  async #end(): Promise<void> {
    this.#waiters.rejectAll('the model was closed');
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Answers one request; any error in here becomes a permanent error and a row in the report. */
  async #serve(request: IncomingMessage, out: ServerResponse): Promise<void> {
    try {
      const outcome = await readRoute(request, this.#options.maxBodyBytes ?? MAX_BODY_BYTES);
      if (outcome.kind === 'gone') return;
      if (outcome.kind === 'read') return await this.#answer(outcome.route, outcome.raw, out);
      this.#runner.noteProblem('a request that can be read', outcome.message);
      sendError(out, { error: outcome.status, message: outcome.message }, this.#makeId('req'));
    } catch (error) {
      const problem = errorText(error);
      this.#runner.noteProblem('an answer', `an error inside the model: ${problem}`);
      if (out.headersSent) out.destroy();
      else sendError(out, { error: 400, message: problem }, this.#makeId('req'));
    }
  }

  async #answer(route: Route, raw: RawRequest, out: ServerResponse): Promise<void> {
    const request = this.#note(route, raw);
    if (route === 'count-tokens') {
      const count = this.#options.countTokens?.(request) ?? estimateTokens(raw.size);
      return sendJson(out, 200, { input_tokens: count });
    }
    if (route === 'probe') return sendJson(out, 200, {});
    if (route === 'other') {
      const message = `The scripted model has no ${raw.method} ${raw.path}.`;
      return sendError(out, { error: 404, message }, this.#makeId('req'));
    }
    await deliver(this.#counted(request, await this.#replyTo(request)), out, {
      model: request.model ?? 'scripted',
      stream: request.stream,
      makeId: this.#makeId,
      delay: this.#options.delay ?? delay,
    });
  }

  #note(route: Route, raw: RawRequest): ModelRequest {
    this.#count += 1;
    const unsorted = { ...readRequest(raw), number: this.#count };
    const request = { ...unsorted, kind: this.#kindOf(route, { ...unsorted, kind: 'main' }) };
    this.#log.add(request);
    this.#waiters.offer(request);
    this.#options.onRequest?.(request);
    return request;
  }

  #kindOf(route: Route, request: ModelRequest): RequestKind {
    if (route === 'count-tokens') return route;
    if (route !== 'messages') return 'other';
    const decide = this.#options.isSideCall;
    const side = decide?.(request) ?? isSideCall(request, () => this.#runner.awaits(request));
    return side ? 'side' : 'main';
  }

  /** A reply with the token counts that the prompt cache gives; those in the script win. */
  #counted({ model = '', prompt }: ModelRequest, reply: Reply): Reply {
    if (this.#cache === undefined || isErrorReply(reply)) return reply;
    const message = toMessage(reply);
    return { ...message, usage: { ...this.#cache.count(model, prompt), ...message.usage } };
  }

  async #replyTo(request: ModelRequest): Promise<Reply> {
    if (request.kind === 'main') return this.#runner.answer(request);
    const { sideReply = text('ok') } = this.#options;
    if (typeof sideReply !== 'function') return sideReply;
    return checkReply((await sideReply(request)) ?? text('ok'), 'the reply to a side call');
  }
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

function countedIds(): MakeId {
  const random = randomBytes(4).toString('hex');
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}_${random}${String(count).padStart(6, '0')}`;
  };
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
