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
  nearestProbedVersion,
} from './catalog/catalog.js';
export type {
  CatalogEntry,
  CliRequestEntry,
  HookEventEntry,
  HostRequestEntry,
  MessageEntry,
  ProbedVersion,
  Reach,
  Reaction,
} from './catalog/entries.js';
export { probedVersions } from './catalog/entries.js';
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
  UnknownName,
  UnknownResultMessage,
  UnknownSystemMessage,
} from './catalog/types.js';
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
export { classify, decodeLine, isObject, parseAnswer } from './frames.js';
export type { LineSplitterOptions } from './framing.js';
export { DEFAULT_MAX_LINE_LENGTH, LineSplitter } from './framing.js';
