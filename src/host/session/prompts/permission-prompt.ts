import type { PermissionUpdate } from '../../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import { choicesOf, type PermissionChoice } from './permission-choice.js';
import type { PromptAnswer, PromptContext } from './prompt.js';
import { type AllowOptions, checkKeys, ToolPrompt, textIn } from './tool-prompt.js';

/** Options for denying a tool call. */
export interface DenyOptions {
  /** Also ends the turn. */
  readonly interrupt?: boolean | undefined;
}

/** The subtype of what a prompt about a denied call is made from; the CLI itself has sent a hook call. */
export const DENIED_CALL = 'permission_denied';

/** The CLI asks whether a tool may run. */
export class PermissionPrompt extends ToolPrompt {
  /** The kind of the prompt. */
  readonly kind = 'permission';
  /** The CLI's unchanged suggestions; {@link choices} explains them. */
  readonly suggestions: readonly PermissionUpdate[];
  /** What an allow can remember: one choice per suggestion of the CLI, each for this session by default. */
  readonly choices: readonly PermissionChoice[];
  /**
   * The path that made the CLI ask about a shell command. Old CLIs name only paths outside the working folders; newer
   * ones also paths inside that the command would change. Undefined for the tools that read and write files.
   */
  readonly blockedPath: string | undefined;
  /** The CLI's reason for asking. */
  readonly decisionReason: string | undefined;
  /**
   * Whether the CLI's own check has denied the call already, and an allow lets the model make it once more. See
   * `askWhenDenied`.
   */
  readonly wasDenied: boolean;
  /** The MCP server of the tool, if the CLI reports it. */
  readonly mcpServer: WireObject | undefined;
  #interrupts = false;

  constructor(body: RequestBody, context: PromptContext) {
    super(body, context);
    this.suggestions = Array.isArray(body.permission_suggestions) ? body.permission_suggestions : [];
    this.blockedPath = textIn(body, 'blocked_path');
    this.choices = choicesOf(this.suggestions.filter(isObject), this.blockedPath, this.tool);
    this.decisionReason = textIn(body, 'decision_reason');
    this.wasDenied = body.subtype === DENIED_CALL;
    this.mcpServer = isObject(body.mcp_server) ? body.mcp_server : undefined;
  }

  /** Whether it was denied in a way that ends the turn. */
  get interrupts(): boolean {
    return this.#interrupts;
  }

  /** Allows the tool call, optionally with another `input`; `remember` takes items of {@link choices}. */
  allow(options: AllowOptions = {}): PromptAnswer {
    return this.settleAllow(options);
  }

  /** Denies the tool call; the model gets the reason. */
  deny(reason = 'The tool call was denied.', options: DenyOptions = {}): PromptAnswer {
    checkKeys(options, ['interrupt']);
    const { interrupt = false } = options;
    const answer = this.settle({ ...this.refusal(reason), ...(interrupt ? { interrupt: true } : {}) });
    if (answer.accepted) this.#interrupts = interrupt;
    return answer;
  }
}
