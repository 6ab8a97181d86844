import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { PermissionMode as ListedMode } from '../../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import type { PermissionMode } from '../../cli/options/cli-options.js';
import { type BackgroundAnswer, type BackgroundOptions, moveToBackground } from '../endpoints/background.js';
import type { CliFacts } from '../endpoints/cli-facts.js';
import type { EndpointSupport } from '../endpoints/endpoint-table.js';
import { findSupport, type SupportName, type SupportOptions } from '../endpoints/support.js';
import { AccountControls } from './account-controls.js';
import {
  type ControlAnswer,
  callThrough,
  type RequestAnswer,
  type RequestName,
  type RequestParams,
} from './call.js';
import { ChromeControls } from './chrome-controls.js';
import { ConversationControls } from './conversation-controls.js';
import { DialogControls } from './dialog-controls.js';
import { FileControls } from './file-controls.js';
import { McpControls } from './mcp-controls.js';
import type { OneCall } from './one-call.js';
import { ReportControls } from './report-controls.js';
import { SettingsControls } from './setting-controls.js';
import { TaskControls } from './task-controls.js';

/** Options of a thinking limit. */
export interface ThinkingOptions extends RequestOptions {
  /** How the thinking is shown. */
  readonly display?: 'summarized' | 'omitted' | 'highlights' | null | undefined;
}

/** Options of a rewind. */
export interface RewindOptions extends RequestOptions {
  /** Only reports what would change. Fails on old CLIs, which would change the files anyway. */
  readonly dryRun?: boolean | undefined;
}

/**
 * The control methods of a session, one per request that the catalog knows, grouped by subject. Parameters and the
 * top level of answers are camelCase; deeper levels are as on the wire. Every method takes a deadline and a signal.
 */
export abstract class Controls {
  readonly #call = callThrough((subtype, params, options) => this.control<string>(subtype, params, options));
  /** The conversation itself: title, side questions, export. */
  readonly conversation = new ConversationControls(this.#call);
  /** MCP servers. */
  readonly mcp = new McpControls(
    this.#call,
    () => this.facts(),
    (...parts) => this.oneCall(...parts),
  );
  /** Background work. */
  readonly tasks = new TaskControls(this.#call);
  /** Files and folders. */
  readonly files = new FileControls(this.#call);
  /** Settings and what is loaded from disk. */
  readonly settings = new SettingsControls(this.#call);
  /** Context, usage, cost, status. */
  readonly reports = new ReportControls(this.#call);
  /** The contents of the CLI's own dialogs. */
  readonly dialogs = new DialogControls(this.#call);
  /** The Chrome extension. */
  readonly chrome = new ChromeControls(
    this.#call,
    () => this.facts(),
    (...parts) => this.oneCall(...parts),
  );
  /** Signing in, feedback, remote control. */
  readonly account = new AccountControls(this.#call);

  /** Sends any control request and resolves to its answer as on the wire, `{}` for a plain ack. */
  abstract control<Name extends RequestName>(
    subtype: Name,
    params?: RequestParams<Name>,
    options?: RequestOptions,
  ): Promise<RequestAnswer<Name>>;

  /** Facts about the running CLI, once the session is ready. */
  protected abstract facts(): Promise<CliFacts>;

  /** Makes a call of several steps, within the caller's deadline. */
  protected abstract get oneCall(): OneCall;

  /**
   * Returns how the running CLI supports an endpoint or a request, optionally for one server (for `mcp_set_servers`:
   * whether the server can be removed). Sends nothing.
   */
  supports(name: SupportName, options: SupportOptions = {}): Promise<EndpointSupport> {
    return this.oneCall('supports', options, (inTime = {}) =>
      findSupport(name, { call: this.#call, facts: () => this.facts(), options: inTime }),
    );
  }

  /**
   * Moves running foreground work to the background: a tool call, task or agent by its id, or everything. Waits for
   * work that the CLI has not reported yet. Resolves to whether anything was moved.
   */
  background(target?: string, options: BackgroundOptions = {}): Promise<BackgroundAnswer> {
    return this.oneCall('background', options, (inTime = {}) =>
      moveToBackground(target, { call: this.#call, facts: () => this.facts(), options: inTime }),
    );
  }

  /** Sets the model for the next turns, or the default model if none is given. */
  setModel(model?: string | null, options?: RequestOptions): Promise<ControlAnswer<'set_model'>> {
    return this.#call('set_model', { model }, options);
  }

  /** Switches the permission mode; a prompt that is already open stays open. */
  setPermissionMode(
    mode: PermissionMode,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'set_permission_mode'>> {
    // The catalog lists the modes of the newest CLI; modes that the current one does not know are refused before it is sent.
    return this.#call('set_permission_mode', { mode: mode as ListedMode }, options);
  }

  /** Limits the tokens spent on thinking; null removes the limit. No effect on models with adaptive thinking. */
  async setMaxThinkingTokens(
    tokens: number | null,
    { display, ...options }: ThinkingOptions = {},
  ): Promise<void> {
    const params = { max_thinking_tokens: tokens, thinking_display: display };
    await this.#call('set_max_thinking_tokens', params, options);
  }

  /** Restores the files to their state at a user message. Needs `enableFileCheckpointing`. */
  rewind(
    userMessageId: string,
    { dryRun, ...options }: RewindOptions = {},
  ): Promise<ControlAnswer<'rewind_files'>> {
    // Left out unless requested, so that old CLIs are not refused.
    const params = { user_message_id: userMessageId, dry_run: dryRun === true ? true : undefined };
    return this.#call('rewind_files', params, options);
  }
}
