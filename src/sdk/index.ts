export type { ToolSession } from '../mcp/link-transport.js';
export { mcpServer, type ToolServer } from '../mcp/mcp-server.js';
export type { StandardSchema } from '../mcp/schema-standard.js';
export type { InProcessServer, McpServerObject, McpTransport } from '../mcp/server-object.js';
export {
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolDefinition,
  type ToolProgress,
  tool,
} from '../mcp/tool.js';
export type { JsonSchema, SchemaPair, ToolArguments, ToolInput } from '../mcp/tool-input.js';
export type { McpServerOptions } from '../mcp/tool-set.js';
export type { RequestOptions } from '../peer/control-peer.js';
export type { RequestContext, RequestHandler } from '../peer/received-requests.js';
export { RefusedError } from '../peer/refused-error.js';
export type { RequestBody, WireObject } from '../protocol/frames.js';
export type { ConsoleAddress } from '../remote/console-client.js';
export type { RemoteOptions } from '../remote/remote-launch.js';
export { CliEndedError } from '../session/cli-ended-error.js';
export type { HookCallback, HookContext, HookMatcher, Hooks } from '../session/cli-requests/hooks.js';
export type { ControlAnswer, RequestAnswer, RequestName, RequestParams } from '../session/controls/call.js';
export type { BackgroundAnswer, BackgroundOptions } from '../session/endpoints/background.js';
export type { ChromeStatus } from '../session/endpoints/chrome.js';
export type { EndpointName, How, Served } from '../session/endpoints/endpoint-table.js';
export type { McpServerAnswer, McpServerState } from '../session/endpoints/mcp-answer.js';
export type { McpTool, McpToolsAnswer } from '../session/endpoints/mcp-tools.js';
export type { SupportOptions } from '../session/endpoints/support.js';
export type { AgentDefinition, InitializeOptions } from '../session/initialize.js';
export type { InterruptOptions, InterruptReceipt } from '../session/interrupt.js';
export type { McpServersChange } from '../session/mcp/server-changes.js';
export type { McpServerConfig, McpServerMap } from '../session/mcp/server-option.js';
export type { WaitForServers } from '../session/mcp/wait-for-servers.js';
export type { OpenFailure } from '../session/open-error.js';
export { OpenError } from '../session/open-error.js';
export type { TurnOutcome } from '../session/outcome.js';
export type { PatchedOptions } from '../session/patched-cli.js';
export type { DialogPrompt } from '../session/prompts/dialog-prompt.js';
export type { ElicitationPrompt } from '../session/prompts/elicitation-prompt.js';
export type { DenyOptions, PermissionPrompt } from '../session/prompts/permission-prompt.js';
export type { ApproveOptions, PlanPrompt } from '../session/prompts/plan-prompt.js';
export type { PromptAnswer, PromptKind, PromptOrigin, PromptState } from '../session/prompts/prompt.js';
export type {
  AnyPrompt,
  PromptCallback,
  PromptCallbacks,
  PromptChange,
  Prompts,
} from '../session/prompts/prompt-book.js';
export type {
  Choice,
  Question,
  QuestionAnswers,
  QuestionPrompt,
} from '../session/prompts/question-prompt.js';
export type { AllowOptions } from '../session/prompts/tool-prompt.js';
export type { Session } from '../session/session.js';
export type { SessionEvents } from '../session/session-events.js';
export type {
  BufferOptions,
  OwnOptions,
  PermissionRules,
  SessionOptions,
} from '../session/session-options.js';
export type { SettledOptions } from '../session/settling.js';
export type { SessionState } from '../session/state.js';
export type { TextDelta } from '../session/text-deltas.js';
export type { Receipt, Turn } from '../session/turn.js';
export { TurnFailedError } from '../session/turn-failed-error.js';
export type { TurnUsage } from '../session/usage.js';
export type { ContentBlock, SendOptions, UserInput } from '../session/user-message.js';
export type { RecordOptions } from '../trace/record/recording.js';
export type { TraceSink } from '../trace/record/trace-sink.js';
export type { RedactionRule, RedactOptions } from '../trace/redact/redactor.js';
export type { CliOptions } from '../transport/subprocess/cli-options.js';
export type { Rung } from '../transport/subprocess/ending.js';
export type { ExitReport } from '../transport/subprocess/line-process.js';
export type { End, Transport } from '../transport/transport.js';
export type { Diagnostic, OnDiagnostic } from '../util/diagnostics.js';
export type { ErrorCode } from '../util/error-codes.js';
export { CoxswainError } from '../util/errors.js';
export { OptionError } from '../util/option-checks.js';
export { ask, openSession, startSession } from './on-demand.js';
export type { OpenOptions } from './remote-session.js';
