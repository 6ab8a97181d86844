import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import { Prompt, type PromptAnswer, type PromptContext } from './prompt.js';

/** The CLI asks the host to show a dialog of a supported kind. */
export class DialogPrompt extends Prompt {
  /** The kind of the prompt. */
  readonly kind = 'dialog';
  /** The kind of dialog. */
  readonly dialogKind: string;
  /** The contents of the dialog. */
  readonly payload: unknown;

  constructor(body: RequestBody, context: PromptContext) {
    super(body, context);
    this.dialogKind = String(body.dialog_kind);
    this.payload = body.payload;
  }

  /** Completes the dialog with a result. */
  complete(result: unknown): PromptAnswer {
    return this.settle({ behavior: 'completed', result });
  }

  /** Cancels the dialog. */
  cancel(): PromptAnswer {
    return this.settle({ behavior: 'cancelled' });
  }

  protected override refusal(): WireObject {
    return { behavior: 'cancelled' };
  }
}
