import type { ModelRequest } from '../../../src/lab/testing/model/request.js';
import type { Script } from '../../../src/lab/testing/model/script.js';
import { scriptModel } from '../../../src/lab/testing/model/script-model.js';
import { ScriptRunner } from '../../../src/lab/testing/model/script-runner.js';
import type { ScriptedModel } from '../../../src/lab/testing/model/scripted-model.js';

/** A model whose script changes from test to test, so that tests can share a running CLI. */
export interface ChangingModel extends AsyncDisposable {
  readonly model: ScriptedModel;
  /** Plays another script from now on. */
  play(script: Script): ScriptRunner;
  /** The latest request of a conversation: calls that a CLI makes for itself may come after it. */
  lastRequest(): ModelRequest | undefined;
  /** Waits for a request as long as a CLI takes to start on a busy machine. */
  waitForRequest(fits: (request: ModelRequest) => boolean): Promise<ModelRequest>;
}

/** Starts a {@link ChangingModel}; until a script is played every request is unexpected. */
export async function changingModel(): Promise<ChangingModel> {
  let current = new ScriptRunner([]);
  const model = await scriptModel((request) => current.answer(request));
  return {
    model,
    play: (script) => {
      current = new ScriptRunner(script);
      return current;
    },
    lastRequest: () => model.requests.findLast(({ kind }) => kind === 'main'),
    waitForRequest: (fits) => model.waitForRequest(fits, { timeoutMs: 60_000 }),
    [Symbol.asyncDispose]: () => model.close(),
  };
}
