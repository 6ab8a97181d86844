export type { PartnerAct } from './contracts/echo-partner.js';
export { echoPartner, partnerAct } from './contracts/echo-partner.js';
export type { ContractCase, MakeTransport } from './contracts/transport.js';
export { transportContract } from './contracts/transport.js';
export { checkScript } from './model/check-script.js';
export type { Delay } from './model/delivery.js';
export { echoScript } from './model/echo-script.js';
export type { AimedMatcher, Matcher, Pattern, TextMatcher } from './model/matchers.js';
export type { MakeId } from './model/message.js';
export type {
  ApiErrorOptions,
  Delivery,
  ErrorReply,
  MessageReply,
  Reply,
  ReplyBlock,
  ReplyOptions,
  ReplyUsage,
  StopReason,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from './model/replies.js';
export { apiError, cut, drip, reply, stall, text, thinking, toolUse } from './model/replies.js';
export type { ModelRequest, RequestKind, ToolResult } from './model/request.js';
export type { ReplyFunction, Script, ScriptStep } from './model/script.js';
export type { ScriptedModel, ScriptModelOptions } from './model/script-model.js';
export { scriptModel } from './model/script-model.js';
export { isSideCall } from './model/side-calls.js';
export type { KnownRealCli, KnownRealClisOptions } from './real-cli/known-clis.js';
export { knownRealClis } from './real-cli/known-clis.js';
export type { RealCli, RealCliOptions } from './real-cli/real-cli.js';
export { realCli } from './real-cli/real-cli.js';
