import type { RequestContext, RequestHandler } from '../../../wire/peer/received-requests.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Options } from '../types/option-types.js';
import type { KeptHooks } from './kept-hooks.js';

/** Facts about the current CLI that handlers need. */
export interface CallbackFacts {
  /** Whether the CLI requires the input with every allowed call, as older ones do. */
  readonly needsInput: boolean;
}

/** Answers the CLI's requests with the program's callbacks. Whatever they do, nothing is allowed by mistake. */
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

/** Programs show a tool call before they ask about it, so all earlier messages are read before its callback runs. */
function afterMessages(handler: RequestHandler): RequestHandler {
  return async (body, context) => {
    await nextRound();
    return handler(body, context);
  };
}

let round: Promise<void> | undefined;

/** The next round of the event loop, shared by everything that waits for it, so that the answers leave in one write. */
function nextRound(): Promise<void> {
  round ??= new Promise((resolve) => {
    setImmediate(() => {
      round = undefined;
      resolve();
    });
  });
  return round;
}

/** Requests for another machine; its server answers them. */
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
  // The wire determines the type; the program was written for these shapes.
  const told = permissionFacts(body, context) as unknown as Parameters<typeof canUseTool>[2];
  const result: unknown = await canUseTool(String(body.tool_name), input, told);
  if (result === null) return unanswered(body, context);
  if (!isObject(result) || (result.behavior !== 'allow' && result.behavior !== 'deny'))
    throw new Error('canUseTool must resolve to { behavior: "allow" | "deny", … } or null.');
  const toolUseID = body.tool_use_id;
  const isFilled = result.behavior === 'allow' && result.updatedInput === undefined && facts.needsInput;
  return isFilled ? { ...result, updatedInput: input, toolUseID } : { ...result, toolUseID };
}

/** The fields of the request, with their names in `canUseTool`. */
const PERMISSION_FACTS: Names = new Map([
  ['permission_suggestions', 'suggestions'],
  ['blocked_path', 'blockedPath'],
  ['mcp_server', 'mcpServer'],
  ['decision_reason', 'decisionReason'],
  ['decision_reason_type', 'decisionReasonType'],
  ['decision_reason_code', 'decisionReasonCode'],
  ['server_policy_ask_only', 'serverPolicyAskOnly'],
  ['title', 'title'],
  ['display_name', 'displayName'],
  ['description', 'description'],
  ['default_to_no', 'defaultToNo'],
  ['suppress_always_allow_rule', 'suppressAlwaysAllowRule'],
  ['tool_use_id', 'toolUseID'],
  ['agent_id', 'agentID'],
  ['plugin', 'plugin'],
  ['requires_user_interaction', 'requiresUserInteraction'],
  ['server_prompt', 'serverPrompt'],
  ['computer_folder', 'computerFolder'],
]);

function permissionFacts(body: RequestBody, context: RequestContext): WireObject {
  const facts = renamed(body, PERMISSION_FACTS, callFacts(context));
  if (isObject(body.matched_ask_rule)) facts.matchedAskRule = renamed(body.matched_ask_rule, RULE_FACTS);
  return facts;
}

const RULE_FACTS: Names = new Map([
  ['source', 'source'],
  ['tool_name', 'toolName'],
  ['rule_content', 'ruleContent'],
]);

/** The context of a callback. Its signal costs more than everything else and is rarely used, so it is created on demand. */
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

const ELICITATION_FACTS: Names = new Map([
  ['mcp_server_name', 'serverName'],
  ['message', 'message'],
  ['mode', 'mode'],
  ['url', 'url'],
  ['elicitation_id', 'elicitationId'],
  ['requested_schema', 'requestedSchema'],
  ['title', 'title'],
  ['display_name', 'displayName'],
  ['description', 'description'],
]);

async function showDialog(
  { onUserDialog }: Options,
  body: RequestBody,
  context: RequestContext,
): Promise<unknown> {
  if (onUserDialog === undefined) return unanswered(body, context);
  const request = renamed(body, DIALOG_FACTS) as Parameters<typeof onUserDialog>[0];
  const answer = await onUserDialog(request, callFacts(context));
  return answer === null ? unanswered(body, context) : answer;
}

const DIALOG_FACTS: Names = new Map([
  ['dialog_kind', 'dialogKind'],
  ['payload', 'payload'],
  ['tool_use_id', 'toolUseID'],
]);

/** Leaves a request to somebody else: nothing is written until it is withdrawn or the CLI ends. */
function unanswered(_body: RequestBody, { withdrawal }: RequestContext): Promise<void> {
  return new Promise((resolve) => {
    if (withdrawal.cancelled) resolve();
    else withdrawal.onCancel(resolve);
  });
}

/** The program's names, by the names on the wire. */
type Names = ReadonlyMap<string, string>;

/** Adds the fields that are present, under other names. */
function renamed(
  from: WireObject,
  names: Names,
  into: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const key in from) {
    const name = names.get(key);
    if (name !== undefined) into[name] = from[key];
  }
  return into;
}
