import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { Call, ControlAnswer } from './call.js';

/** Options of a context report. */
export interface ContextUsageOptions extends RequestOptions {
  /** The level of detail. */
  readonly detail?: 'summary' | 'full' | undefined;
}

/** Options of a usage report. */
export interface UsageOptions extends RequestOptions {
  /** Leaves out data that is slow to collect. */
  readonly skipBehaviors?: boolean | undefined;
}

/** Control methods that only report. */
export class ReportControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Breaks down what fills the context window. */
  contextUsage({
    detail,
    ...options
  }: ContextUsageOptions = {}): Promise<ControlAnswer<'get_context_usage'>> {
    return this.#call('get_context_usage', { detail }, options);
  }

  /** Reports cost and time of the session, and the limits of the account if there is one. */
  usage({ skipBehaviors, ...options }: UsageOptions = {}): Promise<ControlAnswer<'get_usage'>> {
    return this.#call('get_usage', { skip_behaviors: skipBehaviors }, options);
  }

  /** Returns the cost of the session as readable text. */
  cost(options?: RequestOptions): Promise<ControlAnswer<'get_session_cost'>> {
    return this.#call('get_session_cost', {}, options);
  }

  /** Returns the version and build time of the running program. */
  binaryVersion(options?: RequestOptions): Promise<ControlAnswer<'get_binary_version'>> {
    return this.#call('get_binary_version', {}, options);
  }

  /** Returns the rows of the status page. */
  status(options?: RequestOptions): Promise<ControlAnswer<'get_status'>> {
    return this.#call('get_status', {}, options);
  }

  /** Returns the plan that the model has written, if any. */
  plan(options?: RequestOptions): Promise<ControlAnswer<'get_plan'>> {
    return this.#call('get_plan', {}, options);
  }
}
