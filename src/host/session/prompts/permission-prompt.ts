import type { RequestContext } from '../../../wire/peer/received-requests.js';
import type { PermissionUpdate } from '../../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { PromptAnswer } from './prompt.js';
import { type AllowOptions, checkKeys, ToolPrompt, textIn } from './tool-prompt.js';

/** How a tool call is denied. */
export interface DenyOptions {
  /** Also ends the turn. */
  readonly interrupt?: boolean | undefined;
}

/** The CLI asks whether a tool may run. */
export class PermissionPrompt extends ToolPrompt {
  readonly kind = 'permission';
  /** Rules that would make this question needless, for {@link allowAlways}. */
  readonly suggestions: readonly PermissionUpdate[];
  /** The path outside the working folders that the call was stopped at. */
  readonly blockedPath: string | undefined;
  /** Why the CLI asks, in its own words. */
  readonly decisionReason: string | undefined;
  readonly mcpServer: WireObject | undefined;
  #interrupts = false;

  constructor(body: RequestBody, context: RequestContext) {
    super(body, context);
    this.suggestions = Array.isArray(body.permission_suggestions) ? body.permission_suggestions : [];
    this.blockedPath = textIn(body, 'blocked_path');
    this.decisionReason = textIn(body, 'decision_reason');
    this.mcpServer = isObject(body.mcp_server) ? body.mcp_server : undefined;
  }

  /** Whether it was denied in a way that ends the turn. */
  get interrupts(): boolean {
    return this.#interrupts;
  }

  /** Lets the tool run, with its own input unless another is given. */
  allow(options: AllowOptions = {}): PromptAnswer {
    return this.settleAllow(options);
  }

  /** Lets the tool run and remembers the CLI's own suggestions, so that it does not ask again. */
  allowAlways(): PromptAnswer {
    return this.settleAllow({ permissions: this.suggestions });
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
