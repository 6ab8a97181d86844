export type { EnvMode } from '../../host/cli/environment.js';
export type { AskedLaunch } from '../../host/cli/options/asked-launch.js';
export type {
  CliOptions,
  Effort,
  LocalPlugin,
  PermissionMode,
  ProcessOptions,
  SettingSource,
  ThinkingDisplay,
  ThinkingOption,
} from '../../host/cli/options/cli-options.js';
export type { AgentDefinition, InitializeOptions } from '../../host/cli/options/initialize-options.js';
export { CliEndedError } from '../../host/core/connection/cli-ended-error.js';
export type { OpenFailure } from '../../host/core/connection/open-error.js';
export { OpenError } from '../../host/core/connection/open-error.js';
export type { SessionState } from '../../host/core/connection/state.js';
export type { ToolSession } from '../../host/mcp/link-transport.js';
export { mcpServer, type ToolServer } from '../../host/mcp/mcp-server.js';
export type {
  JsonSchemaWriter,
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from '../../host/mcp/schema-standard.js';
export type { InProcessServer, McpServerObject, McpTransport } from '../../host/mcp/server-object.js';
export type { McpServerMap } from '../../host/mcp/server-option.js';
export {
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolDefinition,
  type ToolProgress,
  tool,
} from '../../host/mcp/tool.js';
export type {
  JsonSchema,
  ReadInput,
  SchemaPair,
  ToolArguments,
  ToolInput,
} from '../../host/mcp/tool-input.js';
export type { McpServerOptions } from '../../host/mcp/tool-set.js';
export type {
  CliRequestHandler,
  NamedRequestHandlers,
  OtherRequestHandlers,
} from '../../host/session/cli-request-handler.js';
export type {
  AccountControls,
  BeginLoginOptions,
  FeedbackOptions,
  MessageRating,
  RemoteControlOptions,
} from '../../host/session/controls/account-controls.js';
export type {
  ControlAnswer,
  RequestAnswer,
  RequestName,
  RequestParams,
} from '../../host/session/controls/call.js';
export type { ChromeControls } from '../../host/session/controls/chrome-controls.js';
export type { Controls, RewindOptions, ThinkingOptions } from '../../host/session/controls/controls.js';
export type {
  ConversationControls,
  GenerateTitleOptions,
  RenameOptions,
  SideQuestionOptions,
} from '../../host/session/controls/conversation-controls.js';
export type { DialogControls } from '../../host/session/controls/dialog-controls.js';
export type {
  FileControls,
  ReadFileOptions,
  RegisterRepoOptions,
  SetCwdOptions,
} from '../../host/session/controls/file-controls.js';
export type {
  McpAuthenticateOptions,
  McpCallOptions,
  McpControls,
} from '../../host/session/controls/mcp-controls.js';
export type {
  ContextUsageOptions,
  ReportControls,
  UsageOptions,
} from '../../host/session/controls/report-controls.js';
export type { ReloadPluginsOptions, SettingsControls } from '../../host/session/controls/setting-controls.js';
export type { TaskControls, UltrareviewOptions } from '../../host/session/controls/task-controls.js';
export type { BackgroundAnswer, BackgroundOptions } from '../../host/session/endpoints/background.js';
export type { ChromeStatus } from '../../host/session/endpoints/chrome.js';
export type {
  EndpointName,
  EndpointSupport,
  SupportKind,
} from '../../host/session/endpoints/endpoint-table.js';
export type {
  McpServerView,
  ServerEndpoint,
  SupportName,
  SupportOptions,
} from '../../host/session/endpoints/support.js';
export type { AllowOnceOptions, DeniedCall, SecondDecision } from '../../host/session/hooks/allow-once.js';
export { allowOnce } from '../../host/session/hooks/allow-once.js';
export type { HookCallback, HookContext, HookMatcher, Hooks } from '../../host/session/hooks/hook-types.js';
export type { PatchedOptions } from '../../host/session/opening/patched-cli.js';
export type { Denial } from '../../host/session/prompts/denials.js';
export type { DialogPrompt } from '../../host/session/prompts/dialog-prompt.js';
export type { ElicitationPrompt } from '../../host/session/prompts/elicitation-prompt.js';
export type {
  AnyPrompt,
  PromptCallback,
  PromptCallbacks,
  PromptChange,
  Prompts,
} from '../../host/session/prompts/open-prompts.js';
export type {
  PermissionChoice,
  PermissionChoiceKind,
} from '../../host/session/prompts/permission-choice.js';
export type { DenyOptions, PermissionPrompt } from '../../host/session/prompts/permission-prompt.js';
export type { ApproveOptions, PlanPrompt } from '../../host/session/prompts/plan-prompt.js';
export type {
  Prompt,
  PromptAnswer,
  PromptKind,
  PromptOrigin,
  PromptState,
} from '../../host/session/prompts/prompt.js';
export type {
  Question,
  QuestionAnswers,
  QuestionChoice,
  QuestionPrompt,
} from '../../host/session/prompts/question-prompt.js';
export type { AllowOptions, ToolPrompt } from '../../host/session/prompts/tool-prompt.js';
export type { McpServerAnswer, McpServerState, StatusRow } from '../../host/session/servers/mcp-answer.js';
export type { McpTool, McpToolsAnswer } from '../../host/session/servers/mcp-tools.js';
export type { McpServersChange } from '../../host/session/servers/server-changes.js';
export type { WaitForServers } from '../../host/session/servers/wait-for-servers.js';
export type { Session } from '../../host/session/session.js';
export type { SessionEvents, TurnStart } from '../../host/session/session-events.js';
export type {
  BufferOptions,
  OwnOptions,
  PermissionRules,
  SessionOptions,
} from '../../host/session/session-options.js';
export type { InterruptOptions, InterruptReceipt } from '../../host/session/turns/interrupt.js';
export type {
  OutcomeFacts,
  RateLimit,
  SuccessOutput,
  TurnOutcome,
} from '../../host/session/turns/outcome.js';
export type { OutputOf, OutputSchema } from '../../host/session/turns/requested-output.js';
export type { MessagesOptions } from '../../host/session/turns/session-turns.js';
export type { SettledOptions } from '../../host/session/turns/settling.js';
export type { TextDelta } from '../../host/session/turns/text-deltas.js';
export type { Turn, TurnReceipt } from '../../host/session/turns/turn.js';
export { TurnFailedError } from '../../host/session/turns/turn-failed-error.js';
export type { InputTokens, TurnUsage } from '../../host/session/turns/usage.js';
export type { SendOptions, UserInput, UserMessage } from '../../host/session/turns/user-message.js';
export type { RequestOptions } from '../../wire/peer/control-peer.js';
export type { RequestContext, RequestHandler } from '../../wire/peer/received-requests.js';
export { RefusedError } from '../../wire/peer/refused-error.js';
export type {
  CliRequestName,
  HookEventName,
  HostMessageName,
  HostRequestName,
  MessageName,
} from '../../wire/protocol/catalog/catalog.js';
export type { AsyncHookOutput, SyncHookOutput } from '../../wire/protocol/catalog/hook-shapes.schemas.js';
export type {
  InitializeAnswer,
  WireAgentDefinition,
} from '../../wire/protocol/catalog/host/initialize-request.schemas.js';
export type { ContextUsage } from '../../wire/protocol/catalog/host/report-requests.schemas.js';
export type {
  CliMessageMap,
  CliRequestMap,
  HookMap,
  HostMessageMap,
  HostRequestMap,
} from '../../wire/protocol/catalog/inferred.schemas.js';
export type { MessageOrigin } from '../../wire/protocol/catalog/messages/conversation-messages.schemas.js';
export type {
  JsonRpcMessage,
  McpServerStatus,
} from '../../wire/protocol/catalog/shapes/mcp-shapes.schemas.js';
export type {
  ApiMessage,
  ApiUsage,
  ContentBlock,
  UserContent,
} from '../../wire/protocol/catalog/shapes/model-api-shapes.schemas.js';
export type {
  AccountInfo,
  AgentInfo,
  ModelInfo,
  PluginInfo,
  SlashCommand,
} from '../../wire/protocol/catalog/shapes/offers-shapes.schemas.js';
export type { PermissionUpdate } from '../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
export type { ModelUsage } from '../../wire/protocol/catalog/shapes/usage-shapes.schemas.js';
export type {
  CliAnswer,
  CliMessage,
  CliRequestBody,
  Described,
  FailedResult,
  HookInput,
  HookOutput,
  HostAnswer,
  HostMessage,
  HostRequestParams,
  KnownMessage,
  Message,
  ResultMessage,
  UnknownMessage,
  UnknownResultMessage,
  UnknownSystemMessage,
} from '../../wire/protocol/catalog/types.js';
export type { UnknownKind, UnknownName } from '../../wire/protocol/catalog/unknown-name.js';
export type { RequestBody, WireObject } from '../../wire/protocol/frames.js';
export type {
  HttpServerConfig,
  McpServerConfig,
  McpToolPolicy,
  SdkServerConfig,
  StdioServerConfig,
} from '../../wire/protocol/mcp-server-config.js';
export type { ApiRetry } from '../../wire/protocol/reading/api-retry.js';
export type { LimitWindow, PlanLimits } from '../../wire/protocol/reading/plan-limits.js';
export type { PermissionScope } from '../../wire/protocol/suggestions.js';
export type { LimitedFileOptions } from '../../wire/trace/record/limited-file.js';
export type { RecordOptions } from '../../wire/trace/record/recording.js';
export type { TraceFileOptions } from '../../wire/trace/record/trace-file.js';
export type { RecordTarget, TraceSink } from '../../wire/trace/record/trace-sink.js';
export type { RedactionRule, RedactOptions } from '../../wire/trace/redact/redactor.js';
export type { EndingTimes, ShutdownStep } from '../../wire/transport/process/ending.js';
export type { ExitReport } from '../../wire/transport/process/line-process.js';
export type { CloseOptions, OnLines, Transport, TransportEnd } from '../../wire/transport/transport.js';
export type { CamelKey, CamelKeys } from '../../wire/util/camel-keys.js';
export type { Diagnostic, OnDiagnostic } from '../../wire/util/diagnostics.js';
export type { ErrorCode } from '../../wire/util/error-codes.js';
export { AbortedError, CoxswainError } from '../../wire/util/errors.js';
export { OptionError } from '../../wire/util/option-checks.js';
export type { ConsoleAddress } from '../remote/console-client.js';
export type { RemoteOptions } from '../remote/remote-launch.js';
export { ask, openSession, startSession } from './on-demand.js';
export type { OpenOptions } from './remote-session.js';
