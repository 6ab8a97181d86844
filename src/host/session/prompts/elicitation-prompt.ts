import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { isRecord } from '../../../wire/util/option-checks.js';
import { Prompt, type PromptAnswer, type PromptContext } from './prompt.js';

/** An MCP server asks the user to fill in a form or to visit a page. */
export class ElicitationPrompt extends Prompt {
  /** The kind of the prompt. */
  readonly kind = 'elicitation';
  /** The MCP server that asks. */
  readonly server: string;
  /** The server's message. */
  readonly message: string;
  /** Whether it asks for a form or for opening an address. */
  readonly mode: 'form' | 'url';
  /** The page to visit, in url mode. */
  readonly url: string | undefined;
  /** The JSON Schema of the form, in form mode. */
  readonly schema: WireObject | undefined;
  /** The order in which the fields should be shown. */
  readonly propertyOrder: readonly string[];

  constructor(body: RequestBody, context: PromptContext) {
    super(body, context);
    this.server = String(body.mcp_server_name);
    this.message = String(body.message);
    this.mode = body.mode === 'url' ? 'url' : 'form';
    this.url = typeof body.url === 'string' ? body.url : undefined;
    this.schema = isObject(body.requested_schema) ? body.requested_schema : undefined;
    this.propertyOrder = Array.isArray(body.property_order) ? body.property_order.map(String) : [];
  }

  /** Accepts; in form mode, with the form's values. */
  accept(content?: WireObject): PromptAnswer {
    if (content !== undefined && !isRecord(content)) {
      throw new CoxswainError(
        'ANSWER_INVALID',
        'This answer was not sent: the content must be a plain object.',
      );
    }
    return this.settle({ action: 'accept', ...(content === undefined ? {} : { content }) });
  }

  /** Declines. */
  decline(): PromptAnswer {
    return this.settle({ action: 'decline' });
  }

  /** Cancels without an answer. */
  cancel(): PromptAnswer {
    return this.settle({ action: 'cancel' });
  }

  protected override refusal(): WireObject {
    return { action: 'decline' };
  }
}
