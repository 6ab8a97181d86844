import type { WireObject } from '../protocol/frames.js';
import type { Clock } from '../util/clock.js';
import { errorText } from '../util/error-text.js';
import { CoxswainError } from '../util/errors.js';
import type { Tool, ToolContext } from './tool.js';
import { errorResult, toolResult } from './tool-result.js';

/** How one call of a tool is run. */
export interface ToolCallOptions {
  readonly context: ToolContext;
  readonly timeoutMs: number | undefined;
  readonly clock: Clock;
  /** Told of a call that failed, since the model alone sees its error otherwise. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Runs a tool and makes an MCP result of whatever it does: a throw, a rejection, a value that is no JSON and a
 * passed time limit become error results. What comes after the time limit is dropped.
 */
export async function callTool(
  tool: Tool,
  input: unknown,
  { context, timeoutMs = Number.POSITIVE_INFINITY, clock, onFailure }: ToolCallOptions,
): Promise<WireObject> {
  const limit = new AbortController();
  let over = false;
  let callOff = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    callOff = clock.after(timeoutMs, () => {
      const error = timeoutError(tool.name, timeoutMs);
      limit.abort(error);
      reject(error);
    });
  });
  const own: ToolContext = {
    ...context,
    signal: AbortSignal.any([context.signal, limit.signal]),
    // A client must hear nothing of a call that has its answer.
    progress: (done, more) => {
      if (!over) context.progress(done, more);
    },
  };
  try {
    return toolResult(await Promise.race([run(tool, input, own), late]));
  } catch (error) {
    // An interrupted call fails because it was told to.
    if (!context.signal.aborted) onFailure(error);
    return errorResult(errorText(error));
  } finally {
    over = true;
    callOff();
  }
}

async function run(tool: Tool, input: unknown, context: ToolContext): Promise<unknown> {
  return await tool.run(input, context);
}

function timeoutError(name: string, timeoutMs: number): CoxswainError {
  return new CoxswainError('TOOL_TIMEOUT', `Tool "${name}" did not finish within ${timeoutMs} ms.`);
}
