import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { Call, ControlAnswer } from './call.js';

/** Options of a review in the vendor's cloud. */
export interface UltrareviewOptions extends RequestOptions {
  /** Default: false. */
  readonly confirm?: boolean | undefined;
}

/** Control methods about background work. */
export class TaskControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Moves running foreground work to the background: one tool call, or all when none is named. */
  background(toolUseId?: string, options?: RequestOptions): Promise<ControlAnswer<'background_tasks'>> {
    return this.#call('background_tasks', { tool_use_id: toolUseId }, options);
  }

  /** Ends a background task; an unknown id gets the same answer as a known one. */
  async stop(taskId: string, options?: RequestOptions): Promise<void> {
    await this.#call('stop_task', { task_id: taskId }, options);
  }

  /** Returns the last part of a background command's output. */
  output(taskId: string, options?: RequestOptions): Promise<ControlAnswer<'get_task_output'>> {
    return this.#call('get_task_output', { task_id: taskId }, options);
  }

  /** Starts a review of the work in the vendor's cloud; `args` is what a user would type after the command. */
  ultrareview(
    args: string,
    { confirm = false, ...options }: UltrareviewOptions = {},
  ): Promise<ControlAnswer<'ultrareview_launch'>> {
    return this.#call('ultrareview_launch', { args, confirm }, options);
  }
}
