import { Conversations } from './conversations.js';
import { CoxswainLanguageModel, type CoxswainModelOptions } from './language-model.js';

/** What {@link createCoxswain} takes. */
export interface CoxswainProviderOptions extends CoxswainModelOptions {
  /** How long a CLI stays after a turn, in milliseconds, for the next one of its conversation. Default: 0, it ends at once. */
  readonly idleMs?: number | undefined;
  /** How long a turn waits for your tools and approvals, in milliseconds. Default: 10 minutes. */
  readonly pausedMs?: number | undefined;
}

/** Makes models, and holds their conversations. */
export interface CoxswainProvider extends AsyncDisposable {
  /** A model by the name that the CLI takes, such as `sonnet`; `default` is whatever the CLI is set to. */
  (modelId?: string, options?: CoxswainModelOptions): CoxswainLanguageModel;
  /** The same. */
  languageModel(modelId?: string, options?: CoxswainModelOptions): CoxswainLanguageModel;
  /** Ends the CLIs that wait for a next turn. */
  close(): Promise<void>;
}

const PAUSED_MS = 600_000;

/** Makes a provider for the AI SDK whose models are Claude CLIs. */
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

/** A provider with nothing set. */
export const coxswain: CoxswainProvider = createCoxswain();
