import type { WireObject } from '../frames.js';
import { credentialRequests } from './cli/cli-account.js';
import { callbackRequests } from './cli/cli-callbacks.js';
import { surfaceRequests } from './cli/cli-surfaces.js';
import type { CliRequestEntry, HookEventEntry, HostRequestEntry, MessageEntry } from './entries.js';
import { hookEvents } from './hooks.js';
import { accountRequests } from './host/account-requests.js';
import { conversationRequests } from './host/conversation-requests.js';
import { dialogRequests } from './host/dialog-requests.js';
import { fileRequests } from './host/file-requests.js';
import { initializeRequests } from './host/initialize-request.js';
import { mcpRequests } from './host/mcp-requests.js';
import { patchedRequests } from './host/patched-requests.js';
import { reportRequests } from './host/report-requests.js';
import { settingsRequests } from './host/setting-requests.js';
import { taskRequests } from './host/task-requests.js';
import { conversationMessages } from './messages/conversation-messages.js';
import { messagesFromHost } from './messages/from-host-messages.js';
import { hookMessages } from './messages/hook-messages.js';
import { modelCallMessages } from './messages/model-call-messages.js';
import { otherMessages } from './messages/other-messages.js';
import { resultMessages } from './messages/result-messages.js';
import { sessionMessages } from './messages/session-messages.js';
import { taskMessages } from './messages/task-messages.js';
import { undeclaredMessages } from './messages/undeclared-messages.js';

/** Every control request that a host can send, by its subtype. */
export const hostRequests = {
  ...initializeRequests,
  ...conversationRequests,
  ...mcpRequests,
  ...taskRequests,
  ...settingsRequests,
  ...fileRequests,
  ...reportRequests,
  ...dialogRequests,
  ...accountRequests,
  ...patchedRequests,
};

/** Every control request that a CLI can send, by its subtype. */
export const cliRequests = { ...callbackRequests, ...credentialRequests, ...surfaceRequests };

/** Every message that a CLI can send, by `type` or `type/subtype`. */
export const messages = {
  ...conversationMessages,
  ...resultMessages,
  ...sessionMessages,
  ...modelCallMessages,
  ...hookMessages,
  ...taskMessages,
  ...otherMessages,
  ...undeclaredMessages,
};

/** Every message that a host can send, by its type. */
export const hostMessages = messagesFromHost;

export { hookEvents };

/** The subtype of a control request that a host can send. */
export type HostRequestName = keyof typeof hostRequests;
/** The subtype of a control request that a CLI can send. */
export type CliRequestName = keyof typeof cliRequests;
/** The name of a message that a CLI can send: `assistant`, `system/init` … */
export type MessageName = keyof typeof messages;
/** The name of a message that a host can send. */
export type HostMessageName = keyof typeof hostMessages;
/** The name of an event that a hook callback can be registered for. */
export type HookEventName = keyof typeof hookEvents;

/** Finds a host request by its subtype; undefined if unknown. */
export function findHostRequest(subtype: string): HostRequestEntry | undefined {
  return own(hostRequests, subtype);
}

/** Finds a CLI request by its subtype; undefined if unknown. */
export function findCliRequest(subtype: string): CliRequestEntry | undefined {
  return own(cliRequests, subtype);
}

/** Finds a CLI message by its name; undefined if unknown. */
export function findMessage(name: string): MessageEntry | undefined {
  return own(messages, name);
}

/** Finds a hook event by its name; undefined if unknown. */
export function findHookEvent(name: string): HookEventEntry | undefined {
  return own(hookEvents, name);
}

/** Returns the catalog name of a message: its type, and its subtype if it has one. */
export function messageName(message: WireObject): string {
  const { type, subtype, isReplay } = message;
  if (typeof type !== 'string') return '';
  if (type === 'user' && isReplay === true) return 'user/replay';
  return typeof subtype === 'string' ? `${type}/${subtype}` : type;
}

function own<Entry>(entries: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}
