import type { WireObject } from '../../../wire/protocol/frames.js';
import type { DeviceView } from './devices.js';
import type { CommandError } from './errors.js';
import type { ClientName } from './events.js';
import type {
  ChangesView,
  ChangeView,
  FilesView,
  FileView,
  FolderView,
  SaveParams,
  WorktreeView,
} from './files.js';
import type { GitFileView, GitView } from './git.js';
import type {
  HistoryEntry,
  HistoryParams,
  SearchParams,
  SearchView,
  UsageParams,
  UsageView,
} from './history.js';
import type { OpenRequest, SessionExport } from './opening.js';
import type { PromptAnswer } from './prompts.js';
import type { ScheduleParams } from './sessions.js';
import type { FailedDelivery, PushParams, WebhookParams, WebhookView } from './webhooks.js';

/** A command: its parameters, and the type of `done.value`. */
export interface Command<Params, Value> {
  /** Its parameters. */
  readonly params: Params;
  /** The type of its result. */
  readonly value: Value;
}

/** An object without keys. */
export type NoFields = Readonly<Record<string, never>>;

/** Commands about the server. */
export interface ServerCommands {
  /** Opens a new or resumed session; done when it is ready, which `session` messages report too. */
  readonly open: Command<OpenRequest, OpenedView>;
  /** Lists earlier conversations on disk, newest first. */
  readonly history: Command<HistoryParams, { readonly conversations: readonly HistoryEntry[] }>;
  /** Returns the messages of a conversation on disk. */
  readonly 'history.messages': Command<
    {
      readonly conversation: string;
      readonly cwd?: string | undefined;
      /** How many, and how many to skip at the start. Default: all. */
      readonly limit?: number | undefined;
      readonly offset?: number | undefined;
      /** Default: false. */
      readonly includeSystemMessages?: boolean | undefined;
    },
    { readonly messages: readonly WireObject[] }
  >;
  /**
   * Searches the messages of conversations on disk, newest first, for messages that contain all words. Returns
   * what it has found within a fraction of a second, and `next` to continue.
   */
  readonly 'history.search': Command<SearchParams, SearchView>;
  /** Returns the tokens of all conversations on disk by day and folder; in pieces, like a search. */
  readonly 'history.usage': Command<UsageParams, UsageView>;
  /** Lists the folders in a folder below a root (or all roots), to choose a working folder. */
  readonly folders: Command<
    { readonly in?: string | undefined },
    { readonly folders: readonly { readonly name: string; readonly path: string }[] }
  >;
  /** Runs an MCP action in every connected session that has this server. */
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
  /** Lists the git worktrees that the server made for sessions, with their sizes. */
  readonly worktrees: Command<NoFields, { readonly worktrees: readonly WorktreeView[] }>;
  /**
   * Merges what is checked out in a worktree, optionally after committing all its files, and removes it; or only
   * removes it, and keeps its work under a ref for 30 days. Refuses what no commit holds, unless `discardIgnored` is
   * true or has all names in {@link WorktreeView.ignored}. No session may be open in it.
   */
  readonly 'worktrees.end': Command<
    {
      readonly worktree: string;
      readonly how: 'merge' | 'commit-and-merge' | 'remove';
      readonly discardIgnored?: boolean | readonly string[] | undefined;
    },
    NoFields
  >;
  /** Lists everything that has access: keys, and the browsers that signed in or joined with one. */
  readonly devices: Command<NoFields, { readonly devices: readonly DeviceView[] }>;
  /** Signs a browser out, or revokes a key and everything that signed in with it; their connections end. */
  readonly 'devices.revoke': Command<{ readonly device: string }, NoFields>;
  /** Lists webhooks, without their secrets. */
  readonly 'webhooks.list': Command<NoFields, { readonly webhooks: readonly WebhookView[] }>;
  /** Adds a webhook; its secret is returned only here. */
  readonly 'webhooks.add': Command<WebhookParams, WebhookView & { readonly secret: string }>;
  /** Removes a webhook. */
  readonly 'webhooks.remove': Command<{ readonly webhook: string }, NoFields>;
  /** Lists undelivered messages, latest first. */
  readonly 'webhooks.failed': Command<NoFields, { readonly deliveries: readonly FailedDelivery[] }>;
  /** Tries to deliver a message again. */
  readonly 'webhooks.retry': Command<{ readonly delivery: string }, NoFields>;
  /** Removes an undelivered message from the list. */
  readonly 'webhooks.forget': Command<{ readonly delivery: string }, NoFields>;
  /** Returns the server's public key for push subscriptions, and whether this browser gets messages at an address. */
  readonly push: Command<
    { readonly endpoint?: string | undefined },
    { readonly key: string; readonly on: boolean }
  >;
  /** Sends this browser a short message when a session needs somebody, although no page is open. Default: nobody. */
  readonly 'push.add': Command<PushParams, NoFields>;
  /** Ends that. */
  readonly 'push.remove': Command<{ readonly endpoint: string }, NoFields>;
}

/** How a session is listed. */
export interface MarksParams {
  /** Whether it is shown first. */
  readonly pinned?: boolean | undefined;
  /** Whether it is hidden until it is reopened or gets a message. */
  readonly archived?: boolean | undefined;
  /** All its tags: at most 20, of at most 50 characters each. */
  readonly tags?: readonly string[] | undefined;
}

/** Commands about a session. Those that need the CLI fail immediately if it is not connected. */
export interface SessionCommands {
  /** Ends the session; it stays listed. */
  readonly close: Command<NoFields, NoFields>;
  /** Removes an ended session from the list and deletes its log; with `transcript`, also the conversation on disk. */
  readonly remove: Command<{ readonly transcript?: boolean | undefined }, NoFields>;
  /** Reopens an ended session with a CLI that resumes the conversation. */
  readonly reopen: Command<NoFields, NoFields>;
  /** Ends the CLI as soon as nothing runs; the next message starts another. */
  readonly park: Command<NoFields, NoFields>;
  /** Returns what is stored of the session besides its messages, as plain data without secrets. */
  readonly export: Command<NoFields, SessionExport>;
  /** Sends a user message: a string, or content blocks (`{ type: 'image', source: { type: 'base64', … } }`). */
  readonly send: Command<SendParams, { readonly uuid: string }>;
  /** Cancels a message that has not started. */
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
  /** Sets the model. */
  readonly setModel: Command<{ readonly model: string | null }, WireObject>;
  /** Switches the permission mode. */
  readonly setPermissionMode: Command<{ readonly mode: string }, WireObject>;
  /** Limits the tokens spent on thinking; null removes the limit, 0 turns thinking off. */
  readonly setThinking: Command<{ readonly tokens: number | null }, NoFields>;
  /** Sets what the session may cost before it asks, in dollars. */
  readonly setBudget: Command<{ readonly usd: number | null }, NoFields>;
  /** Sends a message at certain times, until `unschedule`. A time is skipped if the previous message is not done. */
  readonly schedule: Command<ScheduleParams, NoFields>;
  /** Ends the schedule; without one, does nothing. */
  readonly unschedule: Command<NoFields, NoFields>;
  /** Parks the session as soon as nothing runs, and ends its worktree, like `worktrees.end`. */
  readonly endWorkspace: Command<
    {
      readonly end: 'merge' | 'commit-and-merge' | 'remove';
      readonly discardIgnored?: boolean | readonly string[] | undefined;
    },
    NoFields
  >;
  /** Sets the title of the session. */
  readonly rename: Command<{ readonly title: string }, NoFields>;
  /** Pins, archives or tags the session, for every client. What is missing stays as it is. */
  readonly setMarks: Command<MarksParams, NoFields>;
  /** Returns how the CLI supports an endpoint or a request, optionally for one server. */
  readonly supports: Command<{ readonly name: string; readonly server?: string | undefined }, SupportView>;
  /** Lists the MCP servers; asks the CLI each time. */
  readonly 'mcp.status': Command<
    NoFields,
    {
      readonly servers: readonly McpServerRow[];
      /** Whether servers can be added. */
      readonly add: SupportView;
      /** Whether it is possible to sign in to servers that need it. */
      readonly signIn: SupportView;
    }
  >;
  /** Adds MCP servers, or replaces those with the same names: `{ command, args }`, or `{ type, url }`. */
  readonly 'mcp.add': Command<{ readonly servers: WireObject }, McpChangeView>;
  /** Replaces the servers that were added. */
  readonly 'mcp.set': Command<{ readonly servers: WireObject }, McpChangeView>;
  /** Removes an MCP server. */
  readonly 'mcp.remove': Command<{ readonly server: string }, McpChangeView>;
  /** Lists the tools of MCP servers. */
  readonly 'mcp.tools': Command<
    { readonly server?: string | undefined },
    { readonly tools: readonly WireObject[] }
  >;
  /** Reconnects an MCP server. */
  readonly 'mcp.reconnect': Command<{ readonly server: string }, McpActionView>;
  /** Enables an MCP server. */
  readonly 'mcp.enable': Command<{ readonly server: string }, McpActionView>;
  /**
   * Disables an MCP server. Newer CLIs remember it for the folder, even after the session: `remembered` in the
   * value.
   */
  readonly 'mcp.disable': Command<{ readonly server: string }, McpActionView>;
  /** Starts a sign-in to a server: `address` is a page to open; undefined if nothing more is needed. */
  readonly 'mcp.signIn': Command<{ readonly server: string }, { readonly address: string | undefined }>;
  /** Passes the address that the sign-in ended at, if the CLI could not receive it itself. */
  readonly 'mcp.signInDone': Command<{ readonly server: string; readonly address: string }, NoFields>;
  /** Deletes the sign-in of a server. */
  readonly 'mcp.signOut': Command<{ readonly server: string }, NoFields>;
  /** Lists the hooks of settings files and plugins, without those of programs. */
  readonly hooks: Command<NoFields, { readonly hooks: readonly HookView[]; readonly list: SupportView }>;
  /** Returns the state of the Chrome extension. */
  readonly 'chrome.status': Command<NoFields, ChromeView>;
  /** Selects the browser for the Chrome tools. */
  readonly 'chrome.select': Command<{ readonly browser: string }, NoFields>;
  /** Reconnects the Chrome extension. */
  readonly 'chrome.reconnect': Command<NoFields, McpActionView>;
  /** Moves running foreground work to the background: a tool call, task or agent by its id, or everything. */
  readonly background: Command<{ readonly target?: string | undefined }, WireObject>;
  /** Stops a task in the background. */
  readonly stopTask: Command<{ readonly task: string }, NoFields>;
  /** Returns the output of a task. */
  readonly taskOutput: Command<{ readonly task: string }, WireObject>;
  /** Restores files to their state at a user message; with `dryRun`, only reports what would change. */
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
  /** Finds files and folders of the session's folder by parts of their names, best match first; respects ignore files. */
  readonly files: Command<
    { readonly search?: string | undefined; readonly limit?: number | undefined },
    FilesView
  >;
  /** Reads a file of the session's folder. */
  readonly file: Command<{ readonly path: string }, FileView>;
  /** Lists a folder in the session's folder. Default: the session's folder. */
  readonly folder: Command<{ readonly path?: string | undefined }, FolderView>;
  /**
   * Writes a text file, or creates one. Refuses with `FILE_CHANGED` if the file is not the version that you read, and
   * everything in a `.git` folder and behind symbolic links.
   */
  readonly 'file.save': Command<SaveParams, { readonly path: string; readonly version: string }>;
  /** Lists the files that changed since the session began, compared with git or with their contents before its edits. */
  readonly changes: Command<NoFields, ChangesView>;
  /** Returns one of them, before and now. */
  readonly change: Command<{ readonly path: string }, ChangeView>;
  /** Lists what is staged in the session's folder and what is not, and says why nothing can be committed there. */
  readonly 'git.status': Command<NoFields, GitView>;
  /** Returns the hunks of a file that are staged, or those that are not. */
  readonly 'git.hunks': Command<
    { readonly path: string; readonly staged?: boolean | undefined },
    GitFileView
  >;
  /** Stages a file, or some of its hunks. Refuses hunks that have changed since they were read. */
  readonly 'git.stage': Command<StageParams, NoFields>;
  /** Takes a file, or some of its hunks, out of what is staged; the file itself stays as it is. */
  readonly 'git.unstage': Command<StageParams, NoFields>;
  /** Commits what is staged, without hooks. Refuses if `index` is not that of the last `git.status`. */
  readonly 'git.commit': Command<
    { readonly message: string; readonly index: string },
    { readonly commit: string }
  >;
  /** Returns the context usage by category. */
  readonly contextUsage: Command<NoFields, WireObject>;
  /** Returns information about the CLI and its support for endpoints. */
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
  /** The answer to a hook call or an MCP message, from the program that opened the session. */
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
/** The parameters of a command. */
export type CommandParams<Name extends CommandName> = Commands[Name]['params'];
/** The result of a successful command. */
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

/** What to stage, or to take out. */
export interface StageParams {
  /** The file, by its path in the folder. */
  readonly path: string;
  /** The ids of its hunks. Default: the whole file. */
  readonly hunks?: readonly string[] | undefined;
}

/** Information about the CLI of a session. */
export interface InfoView extends OpenedView {
  /** How the CLI supports each endpoint and each request. */
  readonly supports: Readonly<Record<string, SupportView>>;
  /** The unchanged CLI requests of the open prompts. */
  readonly pending: readonly WireObject[];
}

/** A user message. */
export interface SendParams {
  /** The text, or content blocks. */
  readonly content: string | readonly WireObject[];
  /** When the CLI should process it. */
  readonly priority?: 'now' | 'next' | 'later' | undefined;
  /** The parent message. */
  readonly parentUuid?: string | null | undefined;
  /** For programs: the whole message, instead of `content`. */
  readonly message?: WireObject | undefined;
  /** What to do while a turn runs or waits. Default: `join`, the CLI gets it immediately. */
  readonly whileBusy?: 'enqueue' | 'join' | 'reject' | 'interrupt' | 'replace' | undefined;
  /** Whether to send it to the next CLI if a CLI ends before responding to it. Default: true. */
  readonly resend?: boolean | undefined;
  /** What to do at a usage limit. Default: as set for the server. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** Whether an ended session is reopened for it. Default: false. */
  readonly reopen?: boolean | undefined;
}

/** Whether an action is possible. */
export interface SupportView {
  /** How it is supported; `no` if it is not. */
  readonly how: 'native' | 'equivalent' | 'patched' | 'no';
  /** Why it is not possible, as readable text. */
  readonly reason?: string | undefined;
  /** True if it still applies after the session. */
  readonly outlives?: boolean | undefined;
}

/** An MCP server with its state, as the CLI lists it. */
export interface McpServerRow extends WireObject {
  /** Its name. */
  readonly name: string;
  /** The state. */
  readonly status: string;
  /** The possible actions, by request; `mcp_set_servers` stands for removing it. */
  readonly supports: Readonly<Record<ServerRequestName, SupportView>>;
}

/** A hook that the CLI runs. */
export interface HookView {
  /** Its event. */
  readonly event: string;
  /** The tools or cases it applies to. Default: all. */
  readonly matcher?: string | undefined;
  /** Where it is configured. */
  readonly source: string;
  /** What it runs. */
  readonly text: string;
}

/** The requests about one server. */
export type ServerRequestName =
  | 'mcp_tools'
  | 'mcp_reconnect'
  | 'mcp_enable'
  | 'mcp_disable'
  | 'mcp_set_servers';

/** The state of the Chrome extension; fields that the CLI does not report are null. */
export interface ChromeView extends WireObject {
  /** Whether it is installed. */
  readonly installed: boolean | null;
  /** Whether it is enabled. */
  readonly enabled: boolean | null;
  /** Whether it is connected. */
  readonly connected: boolean | null;
  /** The state of the extension's MCP server. */
  readonly mcpServerStatus: string | null;
  /** Its version. */
  readonly extensionVersion: string | null;
  /** The browsers it is connected to, if the CLI lists them. */
  readonly browsers: readonly { readonly id: string; readonly name: string; readonly current: boolean }[];
  /** Whether it can be reconnected. */
  readonly reconnect: SupportView;
}

/** The result of a change of MCP servers. */
export interface McpChangeView {
  /** Servers that were added or changed, and are connected. */
  readonly added: readonly string[];
  /** Removed servers. */
  readonly removed: readonly string[];
  /** Servers that could not be connected, with the reason; they stay set. */
  readonly errors: Readonly<Record<string, string>>;
}

/** The result of reconnecting, enabling or disabling an MCP server. */
export interface McpActionView {
  /** Whether it worked. */
  readonly success: boolean;
  /** The server. */
  readonly serverName: string;
  /** Null if the CLI does not report it. */
  readonly status: string | null;
  /** The number of its tools, if known. */
  readonly toolsCount: number | null;
  /** The CLI's reason if it did not succeed. */
  readonly error: string | null;
  /** How the CLI did it. */
  readonly how: 'native' | 'equivalent' | 'patched';
  /** True if the CLI writes it to the user settings of the folder, so it outlives the session. */
  readonly remembered: boolean;
}
