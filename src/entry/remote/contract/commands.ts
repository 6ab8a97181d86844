import type { WireObject } from '../../../wire/protocol/frames.js';
import type { CommandError } from './errors.js';
import type { ClientName } from './events.js';
import type { FilesView, FileView } from './files.js';
import type { HistoryEntry, HistoryParams, SearchParams, SearchView } from './history.js';
import type { PromptAnswer } from './prompts.js';
import type { FailedDelivery, WebhookParams, WebhookView } from './webhooks.js';

/** A command by name: what it takes, and what `done.value` is. */
export interface Command<Params, Value> {
  /** What it takes. */
  readonly params: Params;
  /** What it gives back. */
  readonly value: Value;
}

/** An object without keys. */
export type NoFields = Readonly<Record<string, never>>;

/** Commands that are about no session. */
export interface ServerCommands {
  /** Opens a session, new or resumed; done when it is ready, which `session` messages tell too. */
  readonly open: Command<OpenParams, OpenedView>;
  /** Earlier conversations on disk, newest first. */
  readonly history: Command<HistoryParams, { readonly conversations: readonly HistoryEntry[] }>;
  /** The messages of one of them. */
  readonly 'history.messages': Command<
    { readonly conversation: string; readonly cwd?: string | undefined },
    { readonly messages: readonly WireObject[] }
  >;
  /**
   * Looks for words in the messages of conversations on disk, newest first: those that have all words in one message. An answer
   * comes after some tenths of a second with what was found so far, and `next` to ask for what follows.
   */
  readonly 'history.search': Command<SearchParams, SearchView>;
  /** The folders in a folder below a root (all roots when none is named), to choose a working folder from. */
  readonly folders: Command<
    { readonly in?: string | undefined },
    { readonly folders: readonly { readonly name: string; readonly path: string }[] }
  >;
  /** An MCP action in every session that is connected and has this server. */
  readonly 'mcp.all': Command<
    { readonly action: 'reconnect' | 'enable' | 'disable'; readonly server: string },
    {
      readonly results: readonly {
        readonly session: string;
        readonly ok: boolean;
        readonly value?: McpActionView | undefined;
        readonly error?: CommandError | undefined;
      }[];
    }
  >;
  /** Where events are sent, without the secrets. */
  readonly 'webhooks.list': Command<NoFields, { readonly webhooks: readonly WebhookView[] }>;
  /** Sends events to an address from now on; its secret is told here and nowhere else. */
  readonly 'webhooks.add': Command<WebhookParams, WebhookView & { readonly secret: string }>;
  /** Sends no more there. */
  readonly 'webhooks.remove': Command<{ readonly webhook: string }, NoFields>;
  /** Messages that could not be delivered, the latest first. */
  readonly 'webhooks.failed': Command<NoFields, { readonly deliveries: readonly FailedDelivery[] }>;
  /** Tries one of them again. */
  readonly 'webhooks.retry': Command<{ readonly delivery: string }, NoFields>;
  /** Takes one of them off the list. */
  readonly 'webhooks.forget': Command<{ readonly delivery: string }, NoFields>;
}

/** Commands that are about a session. Those that ask the CLI fail at once where it is not connected. */
export interface SessionCommands {
  /** Ends the session; it stays listed. */
  readonly close: Command<NoFields, NoFields>;
  /** Takes an ended session off the list and deletes its log; with `transcript` the conversation on disk too. */
  readonly remove: Command<{ readonly transcript?: boolean | undefined }, NoFields>;
  /** Opens an ended session again: a CLI that resumes the conversation. */
  readonly reopen: Command<NoFields, NoFields>;
  /** Sends a user message: a text, or content blocks (`{ type: 'image', source: { type: 'base64', … } }`). */
  readonly send: Command<SendParams, { readonly uuid: string }>;
  /** Takes back a message that has not begun. */
  readonly unsend: Command<{ readonly uuid: string }, { readonly cancelled: boolean }>;
  /** Stops the running turn. */
  readonly interrupt: Command<
    { readonly cancelQueued?: boolean | undefined },
    {
      readonly interrupted: boolean;
      readonly stillQueued: readonly string[];
      readonly cancelled: readonly string[];
    }
  >;
  /** Answers a prompt; only the first answer counts, and `by` names who was first. */
  readonly answer: Command<
    { readonly prompt: string; readonly answer: PromptAnswer },
    { readonly accepted: boolean; readonly by?: ClientName | undefined }
  >;
  /** Chooses the model. */
  readonly setModel: Command<{ readonly model: string | null }, WireObject>;
  /** Switches the permission mode. */
  readonly setPermissionMode: Command<{ readonly mode: string }, WireObject>;
  /** Caps the tokens spent on thinking; null lifts the cap, 0 switches thinking off. */
  readonly setThinking: Command<{ readonly tokens: number | null }, NoFields>;
  /** Sets what the session may cost, in dollars, before it asks. */
  readonly setBudget: Command<{ readonly usd: number | null }, NoFields>;
  /** Gives the session a title. */
  readonly rename: Command<{ readonly title: string }, NoFields>;
  /** How the CLI serves an endpoint or a request, for one server where that makes a difference. */
  readonly supports: Command<{ readonly name: string; readonly server?: string | undefined }, SupportView>;
  /** Asked of the CLI each time, never remembered. */
  readonly 'mcp.status': Command<
    NoFields,
    {
      readonly servers: readonly McpServerRow[];
      /** Whether servers can be added. */
      readonly add: SupportView;
    }
  >;
  /** Adds MCP servers, or replaces those of the same names: `{ command, args }`, or `{ type, url }`. */
  readonly 'mcp.add': Command<{ readonly servers: WireObject }, McpChangeView>;
  /** Replaces the servers that were added. */
  readonly 'mcp.set': Command<{ readonly servers: WireObject }, McpChangeView>;
  /** Takes an MCP server away. */
  readonly 'mcp.remove': Command<{ readonly server: string }, McpChangeView>;
  /** Lists the tools of MCP servers. */
  readonly 'mcp.tools': Command<
    { readonly server?: string | undefined },
    { readonly tools: readonly WireObject[] }
  >;
  /** Reconnects an MCP server. */
  readonly 'mcp.reconnect': Command<{ readonly server: string }, McpActionView>;
  /** Switches an MCP server on or off. */
  readonly 'mcp.enable': Command<{ readonly server: string }, McpActionView>;
  /** Newer CLIs remember it for the folder, also after the session: `remembered` in the value. */
  readonly 'mcp.disable': Command<{ readonly server: string }, McpActionView>;
  /** Tells how the Chrome extension is. */
  readonly 'chrome.status': Command<NoFields, ChromeView>;
  /** Picks the browser that the Chrome tools work in. */
  readonly 'chrome.select': Command<{ readonly browser: string }, NoFields>;
  /** Reconnects the Chrome extension. */
  readonly 'chrome.reconnect': Command<NoFields, McpActionView>;
  /** Moves running foreground work to the background: a tool use, task or agent by its id, or all of it. */
  readonly background: Command<{ readonly target?: string | undefined }, WireObject>;
  /** Stops a task in the background. */
  readonly stopTask: Command<{ readonly task: string }, NoFields>;
  /** Gives what a task has printed. */
  readonly taskOutput: Command<{ readonly task: string }, WireObject>;
  /** Puts files back to where they were at a user message; with `dryRun` only says what would change. */
  readonly rewind: Command<
    { readonly message: string; readonly dryRun?: boolean | undefined },
    WireObject & {
      readonly canRewind?: boolean;
      readonly error?: string;
      readonly filesChanged?: readonly string[];
      readonly insertions?: number;
      readonly deletions?: number;
    }
  >;
  /** Files and folders of the session's folder by parts of their names, best first; ignore files are respected. */
  readonly files: Command<
    { readonly search?: string | undefined; readonly limit?: number | undefined },
    FilesView
  >;
  /** Reads a file of the session's folder. */
  readonly file: Command<{ readonly path: string }, FileView>;
  /** What fills the context, by category. */
  readonly contextUsage: Command<NoFields, WireObject>;
  /** What is known of the CLI, and how it serves the endpoints. */
  readonly info: Command<NoFields, InfoView>;
  /** Sends any control request as it is, and resolves to the CLI's answer. */
  readonly control: Command<
    {
      readonly subtype: string;
      readonly params?: WireObject | undefined;
      readonly deadlineMs?: number | undefined;
    },
    WireObject
  >;
  /** The answer of the program that opened the session to a hook call or a message to one of its MCP servers. */
  readonly reply: Command<
    {
      readonly request: string;
      readonly ok: boolean;
      readonly value?: unknown;
      readonly error?: string | undefined;
    },
    { readonly accepted: boolean }
  >;
}

/** All commands. */
export type Commands = ServerCommands & SessionCommands;
/** The name of a command. */
export type CommandName = keyof Commands;
/** What a command takes. */
export type CommandParams<Name extends CommandName> = Commands[Name]['params'];
/** What a command that succeeded gives. */
export type CommandValue<Name extends CommandName> = Commands[Name]['value'];

/** A session that is ready. */
export interface OpenedView {
  /** The id of the session. */
  readonly session: string;
  /** The version of the CLI. */
  readonly cliVersion: string | undefined;
  /** The answer to `initialize`: commands, models, account … */
  readonly info: WireObject;
}

/** What is known of the CLI of a session. */
export interface InfoView extends OpenedView {
  /** How it serves each endpoint and each request. */
  readonly supports: Readonly<Record<string, SupportView>>;
  /** The control requests of the CLI that are open as prompts, as they came. */
  readonly pending: readonly WireObject[];
}

/** How a session is opened. */
export interface OpenParams {
  /** The new session's id, a UUID, for a client that wants to attach before it is ready; an ended one is reopened. */
  readonly id?: string | undefined;
  /** The working folder. */
  readonly cwd: string;
  /** The title. */
  readonly title?: string | undefined;
  /** The model. */
  readonly model?: string | undefined;
  /** The permission mode. */
  readonly permissionMode?: string | undefined;
  /** The cap on thinking; null for none, whatever the server or the program says otherwise. */
  readonly maxThinkingTokens?: number | null | undefined;
  /** The conversation to resume. */
  readonly resume?: string | undefined;
  /** Resumes into a new id. */
  readonly forkSession?: boolean | undefined;
  /** With `resume` and `forkSession`: the copy ends before this message, by its `uuid`. */
  readonly before?: string | undefined;
  /** The most that the session may cost, in dollars. */
  readonly maxBudgetUsd?: number | undefined;
  /** MCP servers that are switched off as soon as the session is ready. What was switched off in a session stays off when it is opened again. */
  readonly disabledServers?: readonly string[] | undefined;
  /** For programs: what their own session would have started a CLI with. */
  readonly program?: ProgramParams | undefined;
}

/** What a program brings along. */
export interface ProgramParams {
  /** Options of the command line, as `openSession` takes them; some are the server's alone. */
  readonly options: WireObject;
  /** The body of the program's `initialize`: hooks, in-process MCP servers, system prompt … */
  readonly initialize: WireObject;
}

/** A user message. */
export interface SendParams {
  /** The text, or content blocks. */
  readonly content: string | readonly WireObject[];
  /** When the CLI should take it up. */
  readonly priority?: 'now' | 'next' | 'later' | undefined;
  /** The earlier message that it comes behind. */
  readonly parentUuid?: string | null | undefined;
  /** For programs: the whole message, in place of `content`. */
  readonly message?: WireObject | undefined;
}

/** Whether something can be done. */
export interface SupportView {
  /** In which way; `no` where it cannot be done. */
  readonly how: 'native' | 'equivalent' | 'patched' | 'no';
  /** Why it cannot be done, for people. */
  readonly reason?: string | undefined;
  /** True where it counts after the session too. */
  readonly outlives?: boolean | undefined;
}

/** An MCP server with its state, as the CLI lists it. */
export interface McpServerRow extends WireObject {
  /** Its name. */
  readonly name: string;
  /** How it is. */
  readonly status: string;
  /** What can be done to it, by request; `mcp_set_servers` stands for taking it away. */
  readonly supports: Readonly<Record<ServerRequestName, SupportView>>;
}

/** The requests about one server. */
export type ServerRequestName =
  | 'mcp_tools'
  | 'mcp_reconnect'
  | 'mcp_enable'
  | 'mcp_disable'
  | 'mcp_set_servers';

/** How the Chrome extension is; null for what the CLI does not tell. */
export interface ChromeView extends WireObject {
  /** Whether it is installed. */
  readonly installed: boolean | null;
  /** Whether it is switched on. */
  readonly enabled: boolean | null;
  /** Whether it is connected. */
  readonly connected: boolean | null;
  /** The state of the extension's MCP server. */
  readonly mcpServerStatus: string | null;
  /** Its version. */
  readonly extensionVersion: string | null;
  /** The browsers that it is connected to, where the CLI lists them. */
  readonly browsers: readonly { readonly id: string; readonly name: string; readonly current: boolean }[];
  /** Whether it can be reconnected. */
  readonly reconnect: SupportView;
}

/** The result of a change of MCP servers. */
export interface McpChangeView {
  /** Servers that are new or changed, and usable. */
  readonly added: readonly string[];
  /** Servers that are gone. */
  readonly removed: readonly string[];
  /** Servers that could not be connected, with the reason; they stay set. */
  readonly errors: Readonly<Record<string, string>>;
}

/** What became of an MCP server that was reconnected, switched on or off. */
export interface McpActionView {
  /** Whether it worked. */
  readonly success: boolean;
  /** The server. */
  readonly serverName: string;
  /** Null where the CLI does not tell. */
  readonly status: string | null;
  /** How many tools it has now, where that is known. */
  readonly toolsCount: number | null;
  /** The CLI's own reason when it did not succeed. */
  readonly error: string | null;
  /** How the CLI served it. */
  readonly how: 'native' | 'equivalent' | 'patched';
  /** True where the CLI writes it to the user settings of the folder, so that it outlives the session. */
  readonly remembered: boolean;
}
