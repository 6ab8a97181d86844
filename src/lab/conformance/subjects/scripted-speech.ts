import type { Reply } from '../../testing/model/replies.js';
import type { ModelRequest } from '../../testing/model/request.js';
import { scriptModel } from '../../testing/model/script-model.js';
import type { ScriptedModel } from '../../testing/model/scripted-model.js';
import type { ModelControl } from '../subject.js';

/** A scripted model that says what a probe tells it. */
export interface ScriptedSpeech extends ModelControl {
  readonly server: ScriptedModel;
}

/** Starts a model for one CLI. */
export async function scriptedSpeech(): Promise<ScriptedSpeech> {
  let queue: Reply[] = [];
  const server = await scriptModel(() => queue.shift() ?? { type: 'text', text: 'ok' });
  return {
    server,
    get calls(): readonly ModelRequest[] {
      return server.requests.filter(({ kind }) => kind === 'main');
    },
    say: (replies) => {
      queue = [...replies];
    },
  };
}
