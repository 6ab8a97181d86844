import type { RequestContext } from '../../../wire/peer/received-requests.js';
import type { PermissionUpdate } from '../../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import { choicesOf, type PermissionChoice } from './permission-choice.js';
import type { PromptAnswer } from './prompt.js';
import { type AllowOptions, checkKeys, ToolPrompt, textIn } from './tool-prompt.js';

/** How a tool call is denied. */
export interface DenyOptions {
  /** Also ends the turn. */
  readonly interrupt?: boolean | undefined;
}

/** The CLI asks whether a tool may run. */
export class PermissionPrompt extends ToolPrompt {
  /** Tells prompts apart. */
  readonly kind = 'permission';
  /** What the CLI suggests to remember, as it came; {@link choices} says what it means. */
  readonly suggestions: readonly PermissionUpdate[];
  /** What can be remembered with an allow, one for each suggestion of the CLI, each for this session unless widened. */
  readonly choices: readonly PermissionChoice[];
  /**
   * The path that the CLI's check of a shell command stopped at. Old CLIs name only one outside the working folders,
   * newer ones also one inside that the command would change. The tools that read and write files have none.
   */
  readonly blockedPath: string | undefined;
  /** Why the CLI asks, in its own words. */
  readonly decisionReason: string | undefined;
  /** The MCP server of the tool, where the CLI tells it. */
  readonly mcpServer: WireObject | undefined;
  #interrupts = false;

  constructor(body: RequestBody, context: RequestContext) {
    super(body, context);
    this.suggestions = Array.isArray(body.permission_suggestions) ? body.permission_suggestions : [];
    this.blockedPath = textIn(body, 'blocked_path');
    this.choices = choicesOf(this.suggestions.filter(isObject), this.blockedPath, this.tool);
    this.decisionReason = textIn(body, 'decision_reason');
    this.mcpServer = isObject(body.mcp_server) ? body.mcp_server : undefined;
  }

  /** Whether it was denied in a way that ends the turn. */
  get interrupts(): boolean {
    return this.#interrupts;
  }

  /** Lets the tool run, with its own input unless another is given; `remember` takes some of the choices. */
  allow(options: AllowOptions = {}): PromptAnswer {
    return this.settleAllow(options);
  }

  /** Refuses; the model is told the reason. */
  deny(reason = 'This was denied.', options: DenyOptions = {}): PromptAnswer {
    checkKeys(options, ['interrupt']);
    const { interrupt = false } = options;
    const answer = this.settle({ ...this.refusal(reason), ...(interrupt ? { interrupt: true } : {}) });
    if (answer.accepted) this.#interrupts = interrupt;
    return answer;
  }
}
