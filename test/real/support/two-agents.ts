import type { Session } from '../../../src/host/session/session.js';
import { reply, text, toolUse } from '../../../src/lab/testing/model/replies.js';
import { deferred } from '../../../src/wire/util/deferred.js';
import type { RealPlace } from './real-session.js';

/** Starts two agents with the same prompt, and moves the second. Resolves with the call that returned first. */
export async function moveSecondOfTwoAgents({ model }: RealPlace, session: Session): Promise<string> {
  const job = { description: 'Work', prompt: 'the job', subagent_type: 'general-purpose' };
  const calls = [toolUse('Task', job, 'toolu_first'), toolUse('Task', job, 'toolu_second')];
  const finish = deferred<void>();
  const bothRun = deferred<void>();
  let running = 0;
  model.play(async ({ messages, toolResults }) => {
    const said = JSON.stringify(messages.at(-1));
    if (said.includes('start') && toolResults.length === 0) return reply(calls);
    if (!said.includes('the job')) return text('They run on.');
    running += 1;
    if (running === 2) bothRun.resolve();
    await finish.promise;
    return text('The job is done.');
  });
  const returned = deferred<string>();
  session.on('message', ({ type, message }) => {
    const ids = type === 'user' ? [...JSON.stringify(message).matchAll(/"tool_use_id":"(\w+)"/g)] : [];
    for (const [, id = ''] of ids) returned.resolve(id);
  });
  session.send('start');
  await bothRun.promise;
  await session.background('toolu_second');
  const first = await returned.promise;
  const { backgrounded } = await session.background('toolu_first');
  // The turn's result is not awaited: 2.1.58 loses it if the agents end now.
  finish.resolve();
  return backgrounded ? first : 'both were moved';
}
