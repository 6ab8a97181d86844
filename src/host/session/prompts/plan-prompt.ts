import type {
  PermissionMode as ListedMode,
  PermissionUpdate,
} from '../../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { PermissionMode } from '../../cli/options/cli-options.js';
import type { PromptAnswer } from './prompt.js';
import { checkKeys, ToolPrompt } from './tool-prompt.js';

/** Options for approving a plan. */
export interface ApproveOptions {
  /** The permission mode to continue in. */
  readonly mode?: PermissionMode | undefined;
  /** The plan as the user changed it. */
  readonly input?: WireObject | undefined;
}

/** The model presents its plan and asks to start. */
export class PlanPrompt extends ToolPrompt {
  /** The kind of the prompt. */
  readonly kind = 'plan';

  /** The text of the plan; newer CLIs leave it out. */
  get plan(): string | undefined {
    return typeof this.input.plan === 'string' ? this.input.plan : undefined;
  }

  /** Lets the model start. */
  approve(options: ApproveOptions = {}): PromptAnswer {
    checkKeys(options, ['mode', 'input']);
    const { mode, input } = options;
    const permissions = mode === undefined ? undefined : [setMode(mode)];
    return this.settleAllow({ input, permissions });
  }

  /** Sends the model back to planning with feedback. */
  reject(feedback: string): PromptAnswer {
    return this.refuse(feedback);
  }
}

function setMode(mode: PermissionMode): PermissionUpdate {
  return { type: 'setMode', mode: mode as ListedMode, destination: 'session' };
}
