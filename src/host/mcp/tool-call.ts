import type { Cancellation } from '../../wire/peer/cancellation.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { Clock } from '../../wire/util/clock.js';
import { deferred } from '../../wire/util/deferred.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { LinkFacts } from './link-transport.js';
import type { Tool, ToolContext } from './tool.js';
import { errorResult, toolResult } from './tool-result.js';
import type { ToolSet } from './tool-set.js';

/** A call of a tool in a set. */
export interface ToolRun {
  readonly tool: Tool;
  readonly input: unknown;
  readonly cancellation: Cancellation;
  readonly context: Omit<ToolContext, 'signal'>;
  readonly facts: LinkFacts | undefined;
}

/** Runs a call with the settings of its set; the owner of the session gets failures as diagnostics. */
export function runTool(
  set: ToolSet,
  { tool, input, cancellation, context, facts }: ToolRun,
): Promise<WireObject> {
  return callTool(tool, input, {
    cancellation,
    context,
    timeoutMs: tool.timeoutMs ?? set.options.timeoutMs,
    clock: set.clock,
    onFailure: (error) =>
      facts?.onDiagnostic({
        code: 'MCP_TOOL_FAILED',
        message: `Tool "${tool.name}" of MCP server "${set.name}" failed: ${errorText(error)}`,
        server: set.name,
        tool: tool.name,
        error,
      }),
  });
}

/** How to run one tool call. */
export interface ToolCallOptions {
  /** Aborts when nobody waits for the call any more, including after its time limit. */
  readonly cancellation: Cancellation;
  readonly context: Omit<ToolContext, 'signal'>;
  readonly timeoutMs: number | undefined;
  readonly clock: Clock;
  /** Gets failed calls, because otherwise only the model sees the error. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Runs a tool and turns the result into an MCP result: an exception, a rejection, a value that is not JSON and a
 * timeout become error results. A result after the time limit is dropped.
 */
export async function callTool(tool: Tool, input: unknown, options: ToolCallOptions): Promise<WireObject> {
  const { cancellation, timeoutMs, onFailure } = options;
  const own = new CallContext(options);
  try {
    const value =
      timeoutMs === undefined ? await tool.run(input, own) : await limited(tool, input, own, options);
    return toolResult(value);
  } catch (error) {
    // An interrupted call is expected to fail.
    if (!cancellation.cancelled || isTimeout(error)) onFailure(error);
    return errorResult(errorText(error));
  } finally {
    own.end();
  }
}

/** The context of a tool call. Few tools use the signal, and an object with its own getter is expensive. */
class CallContext implements ToolContext {
  readonly session: ToolContext['session'];
  readonly toolUseId: string | undefined;
  readonly requestId: ToolContext['requestId'];
  readonly meta: ToolContext['meta'];
  /** An own property, so that a copy has it too. */
  readonly progress: ToolContext['progress'];
  readonly #cancellation: Cancellation;
  #over = false;

  constructor({ context, cancellation }: ToolCallOptions) {
    this.session = context.session;
    this.toolUseId = context.toolUseId;
    this.requestId = context.requestId;
    this.meta = context.meta;
    // A client must not hear about a call that was already answered.
    this.progress = (done, more) => {
      if (!this.#over) context.progress(done, more);
    };
    this.#cancellation = cancellation;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  end(): void {
    this.#over = true;
  }
}

async function limited(
  tool: Tool,
  input: unknown,
  context: ToolContext,
  { timeoutMs = Number.POSITIVE_INFINITY, clock, cancellation }: ToolCallOptions,
): Promise<unknown> {
  const late = deferred<never>();
  const stopTimer = clock.after(timeoutMs, () => {
    const error = timeoutError(tool.name, timeoutMs);
    cancellation.cancel(error);
    late.reject(error);
  });
  try {
    return await Promise.race([tool.run(input, context), late.promise]);
  } finally {
    stopTimer();
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof CoxswainError && error.code === 'TOOL_TIMEOUT';
}

function timeoutError(name: string, timeoutMs: number): CoxswainError {
  return new CoxswainError('TOOL_TIMEOUT', `Tool "${name}" did not finish within ${timeoutMs} ms.`);
}
