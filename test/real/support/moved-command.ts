import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../../src/host/session/session.js';
import { text, toolUse } from '../../../src/lab/testing/model/replies.js';
import type { RealPlace } from './real-session.js';

/** A command in the background, and what the CLI reports about tasks. */
export interface MovedCommand {
  readonly tasks: Record<string, unknown>[];
  /** Lets the command end on its own. */
  finish(): Promise<void>;
}

/** Starts a command that waits for a file, and moves it to the background; the turn ends without it. */
export async function moveCommand({ model, folders }: RealPlace, session: Session): Promise<MovedCommand> {
  const tasks: Record<string, unknown>[] = [];
  session.on('message', (message) => {
    if (String(message.subtype).startsWith('task_')) tasks.push(message);
  });
  const command = 'until [ -e finish ]; do sleep 0.1; done';
  const script = model.play([
    { when: 'run', reply: toolUse('Bash', { command, description: 'Waits for a file' }, 'toolu_long') },
    { when: { toolResult: /background/ }, reply: text('It runs on.') },
    { reply: text('Aye.'), times: 'any' },
  ]);
  const turn = session.send('run');
  await session.background('toolu_long');
  await turn.text();
  script.assertFinished();
  return { tasks, finish: () => writeFile(join(folders.cwd, 'finish'), '') };
}
