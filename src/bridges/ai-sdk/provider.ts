import { Conversations } from './conversations.js';
import { CoxswainLanguageModel, type CoxswainModelOptions } from './language-model.js';

/** The options of {@link createCoxswain}. */
export interface CoxswainProviderOptions extends CoxswainModelOptions {
  /**
   * How long a CLI waits after a turn for the next one of its conversation, in milliseconds. Default: 0, so it
   * ends immediately.
   */
  readonly idleMs?: number | undefined;
  /** How long a turn waits for your tools and approvals, in milliseconds. Default: 10 minutes. */
  readonly pausedMs?: number | undefined;
}

/** Creates models and keeps their conversations. */
export interface CoxswainProvider extends AsyncDisposable {
  /** Returns a model by a name that the CLI accepts, such as `sonnet`. Default: the CLI's own setting. */
  (modelId?: string, options?: CoxswainModelOptions): CoxswainLanguageModel;
  /** The same. */
  languageModel(modelId?: string, options?: CoxswainModelOptions): CoxswainLanguageModel;
  /** Ends idle CLIs. */
  close(): Promise<void>;
}

const PAUSED_MS = 600_000;

/** Creates a provider for the AI SDK whose models are Claude CLIs. */
export function createCoxswain(given: CoxswainProviderOptions = {}): CoxswainProvider {
  const { idleMs = 0, pausedMs = PAUSED_MS, ...defaults } = given;
  const conversations = new Conversations({ idleMs, pausedMs });
  const languageModel = (modelId = 'default', options: CoxswainModelOptions = {}) =>
    new CoxswainLanguageModel(modelId, { ...defaults, ...options }, conversations);
  const close = () => conversations.close();
  return Object.assign(
    (modelId?: string, options?: CoxswainModelOptions) => languageModel(modelId, options),
    {
      languageModel,
      close,
      [Symbol.asyncDispose]: close,
    },
  );
}

/** A provider without options. */
export const coxswain: CoxswainProvider = createCoxswain();
