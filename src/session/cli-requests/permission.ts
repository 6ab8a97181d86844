import type { RequestContext, RequestHandler } from '../../peer/received-requests.js';
import { isObject, type RequestBody, type WireObject } from '../../protocol/frames.js';

/** An answer to a permission request, as the wire takes it. */
export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      readonly updatedInput: WireObject;
      readonly updatedPermissions?: readonly unknown[];
    }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: true };

/** How a tool call is allowed. */
export interface AllowOptions {
  /** Runs the tool with this input instead. */
  readonly input?: WireObject;
  /** Rules to remember, such as the request's `suggestions`. */
  readonly permissions?: readonly unknown[];
}

/** The CLI asks whether a tool may run. */
export interface PermissionRequest {
  readonly id: string;
  readonly tool: string;
  readonly input: WireObject;
  readonly toolUseId: string;
  /** The subagent that asks, if one does. */
  readonly agentId: string | undefined;
  /** Rules that would make this question needless, for "always allow". */
  readonly suggestions: readonly unknown[];
  /** The request with all its keys, as it came. */
  readonly raw: WireObject;
  /** Aborted when the CLI withdraws the question; an answer is not sent then. */
  readonly signal: AbortSignal;
  allow(options?: AllowOptions): PermissionAnswer;
  deny(reason: string, options?: { readonly interrupt?: boolean }): PermissionAnswer;
}

/** Decides about a tool call. Whatever is not a clear answer denies it. */
export type OnPermission = (request: PermissionRequest) => PermissionAnswer | Promise<PermissionAnswer>;

/** The tool whose calls are questions to a person and never a matter of allow or deny. */
export const QUESTION_TOOL = 'AskUserQuestion';

/** Answers `can_use_tool`. Fails closed: no callback, a throw or nonsense denies, and says why. */
export function permissionHandler(
  onPermission: OnPermission | undefined,
  onQuestion: RequestHandler | undefined,
): RequestHandler {
  return async (body, context) => {
    const answer =
      body.tool_name === QUESTION_TOOL
        ? await decide(onQuestion && (() => onQuestion(body, context)), 'question')
        : await decide(onPermission && (() => onPermission(readRequest(body, context))), 'permission');
    return { ...answer, toolUseID: body.tool_use_id };
  };
}

/** Denies a tool call. Every CLI needs the message. */
export function deny(message: string): PermissionAnswer {
  return { behavior: 'deny', message };
}

async function decide(callback: (() => unknown) | undefined, what: string): Promise<PermissionAnswer> {
  if (callback === undefined) return deny(`No ${what} callback is set here, so this was denied.`);
  let answer: unknown;
  try {
    answer = await callback();
    // Whatever cannot be written as JSON would end in an error answer, not in a clean denial.
    JSON.stringify(answer);
  } catch (error) {
    return deny(`The ${what} callback failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return isAnswer(answer) ? answer : deny(`The ${what} callback returned no valid answer.`);
}

function isAnswer(answer: unknown): answer is PermissionAnswer {
  if (!isObject(answer)) return false;
  if (answer.behavior === 'allow') return isObject(answer.updatedInput);
  return answer.behavior === 'deny' && typeof answer.message === 'string';
}

function readRequest(body: RequestBody, { id, signal }: RequestContext): PermissionRequest {
  const input = isObject(body.input) ? body.input : {};
  return {
    id,
    tool: String(body.tool_name),
    input,
    toolUseId: String(body.tool_use_id),
    agentId: typeof body.agent_id === 'string' ? body.agent_id : undefined,
    suggestions: Array.isArray(body.permission_suggestions) ? body.permission_suggestions : [],
    raw: body,
    signal,
    // CLIs up to 2.1.17 fail the tool without updatedInput, so the input is always sent back.
    allow: (options = {}) => ({
      behavior: 'allow',
      updatedInput: options.input ?? input,
      ...(options.permissions === undefined ? {} : { updatedPermissions: options.permissions }),
    }),
    deny: (reason, options = {}) => ({
      ...deny(reason),
      ...(options.interrupt === true ? { interrupt: true as const } : {}),
    }),
  };
}
