import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { Call, ControlAnswer } from './call.js';

/** Control methods for the contents of the CLI's own dialogs. */
export class DialogControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Lists instruction files and memory folders with their switches. */
  memory(options?: RequestOptions): Promise<ControlAnswer<'get_memory_dialog'>> {
    return this.#call('get_memory_dialog', {}, options);
  }

  /** Lists the skills that can be enabled and disabled. */
  skills(options?: RequestOptions): Promise<ControlAnswer<'get_skills_dialog'>> {
    return this.#call('get_skills_dialog', {}, options);
  }

  /** Reports whether commands run in a sandbox, what it is missing and what it forbids. */
  sandbox(options?: RequestOptions): Promise<ControlAnswer<'get_sandbox_dialog'>> {
    return this.#call('get_sandbox_dialog', {}, options);
  }
}
