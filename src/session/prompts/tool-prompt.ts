import type { RequestContext } from '../../peer/received-requests.js';
import { isObject, type RequestBody, type WireObject } from '../../protocol/frames.js';
import { Prompt, type PromptAnswer } from './prompt.js';

/** How a tool call is allowed. */
export interface AllowOptions {
  /** Runs the tool with this input instead. */
  readonly input?: WireObject | undefined;
  /** Rules to remember, such as some of the `suggestions`. */
  readonly permissions?: readonly unknown[] | undefined;
}

/** A prompt that came as `can_use_tool`: a permission, a question or a plan. */
export abstract class ToolPrompt extends Prompt {
  readonly tool: string;
  readonly input: WireObject;
  readonly title: string | undefined;
  readonly description: string | undefined;

  constructor(body: RequestBody, context: RequestContext) {
    super(body, context);
    this.tool = String(body.tool_name);
    this.input = isObject(body.input) ? body.input : {};
    this.title = textIn(body, 'title');
    this.description = textIn(body, 'description');
  }

  protected settleAllow({ input, permissions }: AllowOptions): PromptAnswer {
    return this.settle({
      behavior: 'allow',
      // CLIs up to 2.1.17 fail the tool without updatedInput, so the input is always sent back.
      updatedInput: isObject(input) ? input : this.input,
      ...(permissions === undefined ? {} : { updatedPermissions: permissions }),
      toolUseID: this.raw.tool_use_id,
    });
  }

  protected override refusal(reason: string): WireObject {
    return { behavior: 'deny', message: String(reason), toolUseID: this.raw.tool_use_id };
  }
}

/** A key of a request, where it is a text. */
export function textIn(body: RequestBody, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' ? value : undefined;
}
