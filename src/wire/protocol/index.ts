export type {
  CliRequestName,
  HookEventName,
  HostMessageName,
  HostRequestName,
  MessageName,
} from './catalog/catalog.js';
export {
  cliRequests,
  findCliRequest,
  findHookEvent,
  findHostRequest,
  findMessage,
  hookEvents,
  hostMessages,
  hostRequests,
  messageName,
  messages,
} from './catalog/catalog.js';
export type {
  CatalogEntry,
  CliRequestEntry,
  HookEventEntry,
  HostRequestEntry,
  MessageEntry,
  Reach,
} from './catalog/entries.js';
export type {
  AnyCliRequest,
  AnyHostRequest,
  CliFrame,
  ControlReply,
  ControlRequest,
  HostFrame,
  UnknownRequest,
} from './catalog/frame-types.js';
export type { AsyncHookOutput, SyncHookOutput } from './catalog/hook-shapes.schemas.js';
export type { InitializeAnswer, WireAgentDefinition } from './catalog/host/initialize-request.schemas.js';
export type { ContextUsage } from './catalog/host/report-requests.schemas.js';
export type {
  CliMessageMap,
  CliRequestMap,
  EnvelopeMap,
  HookMap,
  HostMessageMap,
  HostRequestMap,
} from './catalog/inferred.schemas.js';
export type { MessageOrigin } from './catalog/messages/conversation-messages.schemas.js';
export type { JsonRpcMessage, McpServerStatus } from './catalog/shapes/mcp-shapes.schemas.js';
export type {
  ApiMessage,
  ApiUsage,
  ContentBlock,
  UserContent,
} from './catalog/shapes/model-api-shapes.schemas.js';
export type {
  AccountInfo,
  AgentInfo,
  ModelInfo,
  PluginInfo,
  SlashCommand,
} from './catalog/shapes/offers-shapes.schemas.js';
export type { ModelUsage } from './catalog/shapes/usage-shapes.schemas.js';
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
  HostRequestBody,
  HostRequestParams,
  KnownMessage,
  Message,
  ResultMessage,
  UnknownMessage,
  UnknownResultMessage,
  UnknownSystemMessage,
} from './catalog/types.js';
export type { UnknownKind, UnknownName } from './catalog/unknown-name.js';
export {
  encodeCancel,
  encodeObject,
  encodeRefusal,
  encodeRequest,
  encodeSuccess,
  formatRequestId,
} from './encode.js';
export type {
  BrokenFrame,
  CancelFrame,
  Frame,
  KeepAliveFrame,
  MessageFrame,
  NoiseFrame,
  RefusalFrame,
  RequestBody,
  RequestFrame,
  SuccessFrame,
  WireObject,
} from './frames.js';
export { classify, decodeLine, isObject } from './frames.js';
export { AgUiStream } from './reading/ag-ui-stream.js';
export type { ApiRetry } from './reading/api-retry.js';
export type {
  AgUiEvent,
  AgUiOrigin,
  AgUiUsage,
  UiMessageChunk,
  UiMessageFacts,
  UiToolCall,
} from './reading/front-end-parts.js';
export type {
  AnswerItem,
  CompactionItem,
  DenialItem,
  Item,
  ItemBase,
  ItemChange,
  LimitItem,
  NoteItem,
  RetryItem,
  TaskItem,
  TextItem,
  TodosItem,
  ToolItem,
  TurnEndItem,
  UserItem,
} from './reading/items.js';
export { MessageFold } from './reading/message-fold.js';
export type { TokenCount } from './reading/token-count.js';
export { UiMessageStream } from './reading/ui-message-stream.js';
export type { Todo } from './todos.js';
