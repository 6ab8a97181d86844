import type { RequestContext } from '../../../wire/peer/received-requests.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { isRecord } from '../../../wire/util/option-checks.js';
import { Prompt, type PromptAnswer } from './prompt.js';

/** An MCP server asks a person for something: to fill in a form, or to visit a page. */
export class ElicitationPrompt extends Prompt {
  /** Tells prompts apart. */
  readonly kind = 'elicitation';
  /** The MCP server that asks. */
  readonly server: string;
  /** What the server asks. */
  readonly message: string;
  /** Whether it wants a form filled in or an address opened. */
  readonly mode: 'form' | 'url';
  /** The page to visit, in url mode. */
  readonly url: string | undefined;
  /** The JSON schema of the form, in form mode. */
  readonly schema: WireObject | undefined;
  /** The order in which the fields should be shown. */
  readonly propertyOrder: readonly string[];

  constructor(body: RequestBody, context: RequestContext) {
    super(body, context);
    this.server = String(body.mcp_server_name);
    this.message = String(body.message);
    this.mode = body.mode === 'url' ? 'url' : 'form';
    this.url = typeof body.url === 'string' ? body.url : undefined;
    this.schema = isObject(body.requested_schema) ? body.requested_schema : undefined;
    this.propertyOrder = Array.isArray(body.property_order) ? body.property_order.map(String) : [];
  }

  /** The person agreed; in form mode with what was filled in. */
  accept(content?: WireObject): PromptAnswer {
    if (content !== undefined && !isRecord(content)) {
      throw new CoxswainError(
        'ANSWER_INVALID',
        'This answer was not sent: the content must be a plain object.',
      );
    }
    return this.settle({ action: 'accept', ...(content === undefined ? {} : { content }) });
  }

  /** The person said no. */
  decline(): PromptAnswer {
    return this.settle({ action: 'decline' });
  }

  /** The person left without saying anything. */
  cancel(): PromptAnswer {
    return this.settle({ action: 'cancel' });
  }

  protected override refusal(): WireObject {
    return { action: 'decline' };
  }
}
