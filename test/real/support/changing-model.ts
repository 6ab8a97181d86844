import type { Script } from '../../../src/lab/testing/model/script.js';
import { scriptModel } from '../../../src/lab/testing/model/script-model.js';
import { ScriptRunner } from '../../../src/lab/testing/model/script-runner.js';
import type { ScriptedModel } from '../../../src/lab/testing/model/scripted-model.js';

/** A model whose script changes from test to test, so that tests can share a running CLI. */
export interface ChangingModel extends AsyncDisposable {
  readonly model: ScriptedModel;
  /** Plays another script from now on. */
  play(script: Script): ScriptRunner;
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
    [Symbol.asyncDispose]: () => model.close(),
  };
}
