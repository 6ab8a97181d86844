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
import { ReportControls } from './report-controls.js';
import { SettingsControls } from './setting-controls.js';
import { TaskControls } from './task-controls.js';

/** How the thinking of the model is capped. */
export interface ThinkingOptions extends RequestOptions {
  /** What is shown of it. */
  readonly display?: 'summarized' | 'omitted' | 'highlights' | null | undefined;
}

/** How files are put back. */
export interface RewindOptions extends RequestOptions {
  /** Only says what would change; refused for old CLIs, which would change the files all the same. */
  readonly dryRun?: boolean | undefined;
}

/**
 * The control methods of a session, one per request that the catalog knows, grouped by subject. Parameters and the
 * top level of answers are camelCase; what lies deeper is as on the wire. Every method takes a deadline and a signal.
 */
export abstract class Controls {
  readonly #call = callThrough((subtype, params, options) => this.control<string>(subtype, params, options));
  /** The conversation itself: title, questions beside it, export. */
  readonly conversation = new ConversationControls(this.#call);
  /** MCP servers. */
  readonly mcp = new McpControls(this.#call, () => this.facts());
  /** Work that runs beside the conversation. */
  readonly tasks = new TaskControls(this.#call);
  /** Files and folders. */
  readonly files = new FileControls(this.#call);
  /** Settings and what is loaded from disk. */
  readonly settings = new SettingsControls(this.#call);
  /** Context, usage, cost, status. */
  readonly reports = new ReportControls(this.#call);
  /** What the CLI's own dialogs would show. */
  readonly dialogs = new DialogControls(this.#call);
  /** The Chrome extension. */
  readonly chrome = new ChromeControls(this.#call, () => this.facts());
  /** Signing in, feedback, remote control. */
  readonly account = new AccountControls(this.#call);

  /** Sends any control request and resolves to its answer as the wire has it, `{}` for a plain ack. */
  abstract control<Name extends RequestName>(
    subtype: Name,
    params?: RequestParams<Name>,
    options?: RequestOptions,
  ): Promise<RequestAnswer<Name>>;

  /** What is known of the CLI at hand, once the session is ready. */
  protected abstract facts(): Promise<CliFacts>;

  /**
   * Says how the CLI at hand serves an endpoint or a request, for one server where that makes a difference (`mcp_set_servers`:
   * whether the server can be removed); does nothing.
   */
  supports(name: SupportName, options: SupportOptions = {}): Promise<EndpointSupport> {
    return findSupport(name, { call: this.#call, facts: () => this.facts(), options });
  }

  /**
   * Moves running foreground work to the background: a tool use, task or agent by its id, or all of it. One that
   * the CLI has not told of yet is waited for. Says whether anything was moved.
   */
  background(target?: string, options: BackgroundOptions = {}): Promise<BackgroundAnswer> {
    return moveToBackground(target, { call: this.#call, facts: () => this.facts(), options });
  }

  /** Chooses the model for what follows, or the default one if none is named. */
  setModel(model?: string | null, options?: RequestOptions): Promise<ControlAnswer<'set_model'>> {
    return this.#call('set_model', { model }, options);
  }

  /** Switches the permission mode from here on; a prompt that is already open stays open. */
  setPermissionMode(
    mode: PermissionMode,
    options?: RequestOptions,
  ): Promise<ControlAnswer<'set_permission_mode'>> {
    // The catalog lists the modes of the newest CLI; what the one at hand does not know is refused before it is sent.
    return this.#call('set_permission_mode', { mode: mode as ListedMode }, options);
  }

  /** Caps the tokens spent on thinking, or lifts the cap with null; without effect on models that think adaptively. */
  async setMaxThinkingTokens(
    tokens: number | null,
    { display, ...options }: ThinkingOptions = {},
  ): Promise<void> {
    const params = { max_thinking_tokens: tokens, thinking_display: display };
    await this.#call('set_max_thinking_tokens', params, options);
  }

  /** Puts the files back to where they were at a user message; needs `enableFileCheckpointing`. */
  rewind(
    userMessageId: string,
    { dryRun, ...options }: RewindOptions = {},
  ): Promise<ControlAnswer<'rewind_files'>> {
    // Left out unless asked for: old CLIs are then not refused.
    const params = { user_message_id: userMessageId, dry_run: dryRun === true ? true : undefined };
    return this.#call('rewind_files', params, options);
  }
}
