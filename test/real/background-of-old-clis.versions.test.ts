import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { moveCommand } from './support/moved-command.js';
import { throwawayCache } from './support/patched-clis.js';
import { publishedClis } from './support/published-clis.js';
import { realPlace } from './support/real-session.js';
import { moveSecondOfTwoAgents } from './support/two-agents.js';

const install = publishedClis();
const cache = throwawayCache();

// These do not report a running command before it is moved.
test.each(['2.1.139', '2.1.168'])(
  'CLI %s moves a running command to the background without a target',
  { timeout: 180_000 },
  async (version) => {
    await using place = await realPlace(await install(version));
    await using session = await place.open({ allowedTools: ['Bash'] });
    const command = 'node -e "setTimeout(() => {}, 60000)"';
    place.model.play([
      { when: 'run', reply: toolUse('Bash', { command }, 'toolu_long') },
      { when: { toolResult: /background/ }, reply: text('It runs on.') },
    ]);
    const turn = session.send('run');
    await turn.began;
    const { backgrounded } = await session.background(undefined, { waitMs: 20_000 });
    expect(backgrounded).toBe(true);
    expect(await turn.text()).toBe('It runs on.');
  },
);

// They keep their shells in three different ways, and those in between queue a notice that ends an unpatched CLI.
test.each(['2.0.12', '2.0.44', '2.0.62', '2.0.73'])(
  'a patched CLI %s reports a moved command until its end, and goes on',
  { timeout: 180_000 },
  async (version) => {
    await using place = await realPlace(await install(version));
    await using session = await place.open({
      patched: { cacheFolder: cache.folder },
      allowedTools: ['Bash'],
    });
    const { tasks, finish } = await moveCommand(place, session);
    expect(tasks).toMatchObject([
      {
        subtype: 'task_started',
        task_type: 'local_bash',
        tool_use_id: 'toolu_long',
        description: 'Waits for a file',
      },
    ]);
    const ends: string[] = [];
    const settling = session.settled({ deadlineMs: 60_000 }).then(() => ends.push('settled'));
    session.on('message', ({ subtype }) => {
      if (subtype === 'task_notification') ends.push('task ended');
    });
    await finish();
    await settling;
    expect(ends).toEqual(['task ended', 'settled']);
    expect(tasks).toMatchObject([
      {},
      { task_id: tasks[0]?.task_id, tool_use_id: 'toolu_long', status: 'completed' },
    ]);
    expect(await session.send('are you there?').text()).toBe('Aye.');
    expect(tasks).toHaveLength(2);
  },
);

test.each(['2.0.12', '2.0.62', '2.0.73'])(
  'a patched CLI %s stops a moved command',
  { timeout: 180_000 },
  async (version) => {
    await using place = await realPlace(await install(version));
    await using session = await place.open({
      patched: { cacheFolder: cache.folder },
      allowedTools: ['Bash'],
    });
    const { tasks } = await moveCommand(place, session);
    await session.tasks.stop(String(tasks[0]?.task_id));
    await session.settled({ deadlineMs: 60_000 });
    expect(tasks).toMatchObject([
      { subtype: 'task_started' },
      { subtype: 'task_notification', status: 'stopped' },
    ]);
    expect(await session.send('are you there?').text()).toBe('Aye.');
  },
);

test('a patched CLI 2.1.58 moves the named one of two agents with the same prompt', {
  timeout: 180_000,
}, async () => {
  await using place = await realPlace(await install('2.1.58'));
  await using session = await place.open({ patched: { cacheFolder: cache.folder }, allowedTools: ['Task'] });
  expect(await moveSecondOfTwoAgents(place, session)).toBe('toolu_second');
});
