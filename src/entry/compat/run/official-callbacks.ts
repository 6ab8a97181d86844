import type { RequestContext, RequestHandler } from '../../../wire/peer/received-requests.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Options } from '../types/option-types.js';
import type { KeptHooks } from './kept-hooks.js';

/** What handlers have to know of the CLI at hand. */
export interface CallbackFacts {
  /** Whether the CLI wants the input with every allowed call, as those up to 2.1.17 do. */
  readonly needsInput: boolean;
}

/** Answers what the CLI asks with the callbacks of the program. Whatever they do, nothing is allowed by mistake. */
export function callbackHandlers(
  options: Options,
  hooks: KeptHooks,
  facts: CallbackFacts,
): Record<string, RequestHandler> {
  return {
    can_use_tool: afterMessages((body, context) => decide(options, body, context, facts)),
    hook_callback: afterMessages(hooks.handler),
    elicitation: afterMessages((body, context) => elicit(options, body, context)),
    request_user_dialog: afterMessages((body, context) => showDialog(options, body, context)),
    ...Object.fromEntries(LEFT_ALONE.map((subtype) => [subtype, unanswered] as const)),
  };
}

/** Programs show a tool call before they ask about it: what came before a request is read before its callback runs. */
function afterMessages(handler: RequestHandler): RequestHandler {
  return async (body, context) => {
    await nextRound();
    return handler(body, context);
  };
}

let round: Promise<void> | undefined;

/** The next round of the event loop, one for all that wait for it: then their answers leave in one write. */
function nextRound(): Promise<void> {
  round ??= new Promise((resolve) => {
    setImmediate(() => {
      round = undefined;
      resolve();
    });
  });
  return round;
}

/** Requests for another machine; whoever serves it answers. */
const LEFT_ALONE = [
  'remote_tool_call',
  'remote_plumbing_call',
  'remote_tools_probe',
  'remote_tools_reannounce',
];

async function decide(
  { canUseTool }: Options,
  body: RequestBody,
  context: RequestContext,
  facts: CallbackFacts,
): Promise<unknown> {
  if (canUseTool === undefined) throw new Error('canUseTool callback is not provided.');
  const input = isObject(body.input) ? body.input : {};
  // The wire says what it is; the program was written for these shapes.
  const told = permissionFacts(body, context) as unknown as Parameters<typeof canUseTool>[2];
  const result: unknown = await canUseTool(String(body.tool_name), input, told);
  if (result === null) return unanswered(body, context);
  if (!isObject(result) || (result.behavior !== 'allow' && result.behavior !== 'deny'))
    throw new Error('canUseTool must resolve to { behavior: "allow" | "deny", … } or null.');
  const filled = result.behavior === 'allow' && result.updatedInput === undefined && facts.needsInput;
  return { ...result, ...(filled ? { updatedInput: input } : {}), toolUseID: body.tool_use_id };
}

/** The names by which `canUseTool` is told what the request carries. */
const PERMISSION_FACTS: Readonly<Record<string, string>> = {
  suggestions: 'permission_suggestions',
  blockedPath: 'blocked_path',
  mcpServer: 'mcp_server',
  decisionReason: 'decision_reason',
  decisionReasonType: 'decision_reason_type',
  decisionReasonCode: 'decision_reason_code',
  serverPolicyAskOnly: 'server_policy_ask_only',
  title: 'title',
  displayName: 'display_name',
  description: 'description',
  defaultToNo: 'default_to_no',
  suppressAlwaysAllowRule: 'suppress_always_allow_rule',
  toolUseID: 'tool_use_id',
  agentID: 'agent_id',
  plugin: 'plugin',
  requiresUserInteraction: 'requires_user_interaction',
  serverPrompt: 'server_prompt',
  computerFolder: 'computer_folder',
};

function permissionFacts(body: RequestBody, context: RequestContext): WireObject {
  const facts = renamed(body, PERMISSION_FACTS, callFacts(context));
  if (isObject(body.matched_ask_rule)) facts.matchedAskRule = renamed(body.matched_ask_rule, RULE_FACTS);
  return facts;
}

const RULE_FACTS = { source: 'source', toolName: 'tool_name', ruleContent: 'rule_content' };

/** What callbacks are told of the call. Its signal costs more than all the rest, and few look at it: it is made then. */
function callFacts(context: RequestContext) {
  return {
    get signal() {
      return context.signal;
    },
    requestId: context.id,
  };
}

async function elicit(
  { onElicitation }: Options,
  body: RequestBody,
  context: RequestContext,
): Promise<unknown> {
  if (onElicitation === undefined) return { action: 'decline' };
  const request = renamed(body, ELICITATION_FACTS) as Parameters<typeof onElicitation>[0];
  const answer = await onElicitation(request, callFacts(context));
  return answer === null ? unanswered(body, context) : answer;
}

const ELICITATION_FACTS: Readonly<Record<string, string>> = {
  serverName: 'mcp_server_name',
  message: 'message',
  mode: 'mode',
  url: 'url',
  elicitationId: 'elicitation_id',
  requestedSchema: 'requested_schema',
  title: 'title',
  displayName: 'display_name',
  description: 'description',
};

async function showDialog(
  { onUserDialog }: Options,
  body: RequestBody,
  context: RequestContext,
): Promise<unknown> {
  if (onUserDialog === undefined) return unanswered(body, context);
  const request = renamed(body, {
    dialogKind: 'dialog_kind',
    payload: 'payload',
    toolUseID: 'tool_use_id',
  }) as Parameters<typeof onUserDialog>[0];
  const answer = await onUserDialog(request, callFacts(context));
  return answer === null ? unanswered(body, context) : answer;
}

/** Leaves a request to somebody else: nothing is written until it is withdrawn or the CLI ends. */
function unanswered(_body: RequestBody, { withdrawal }: RequestContext): Promise<void> {
  return new Promise((resolve) => {
    if (withdrawal.cancelled) resolve();
    else withdrawal.onCancel(resolve);
  });
}

/** Adds what is there, by other names. */
function renamed(
  from: WireObject,
  names: Readonly<Record<string, string>>,
  into: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const [name, key] of Object.entries(names)) {
    const value = from[key];
    if (value !== undefined) into[name] = value;
  }
  return into;
}
