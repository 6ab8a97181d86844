import type { RequestContext } from '../../../wire/peer/received-requests.js';
import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import { Prompt, type PromptAnswer } from './prompt.js';

/** The CLI asks its host to show a dialog of a kind that the host said it can show. */
export class DialogPrompt extends Prompt {
  /** Tells prompts apart. */
  readonly kind = 'dialog';
  /** The kind of dialog. */
  readonly dialogKind: string;
  /** What the dialog is to show. */
  readonly payload: unknown;

  constructor(body: RequestBody, context: RequestContext) {
    super(body, context);
    this.dialogKind = String(body.dialog_kind);
    this.payload = body.payload;
  }

  /** The person completed the dialog. */
  complete(result: unknown): PromptAnswer {
    return this.settle({ behavior: 'completed', result });
  }

  /** The person left the dialog. */
  cancel(): PromptAnswer {
    return this.settle({ behavior: 'cancelled' });
  }

  protected override refusal(): WireObject {
    return { behavior: 'cancelled' };
  }
}
