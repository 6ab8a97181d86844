import { expect, test } from 'vitest';
import { withNats } from '../support/nats/with-nats.js';
import { Rig } from './checker/rig.js';

withNats('messages that wait behind a running turn', () => {
  test.each(['kill', 'stop'] as const)('run once each after a %s of their worker', async (fault) => {
    const rig = await Rig.open(1);
    const [talk] = rig.talks;
    if (talk === undefined) throw new Error('no conversation');
    const running = talk.say(60_000);
    await talk.reported(running, 'started');
    const joined = [talk.say(50), talk.say(50), talk.say(50)];
    for (const id of joined) await talk.reported(id, 'queued');
    // Only one of them has it.
    await Promise.all([rig.break(fault, 0, 8_000), rig.break(fault, 1, 8_000)]);
    await expect.poll(() => joined.filter((id) => talk.settled.has(id)), { timeout: 60_000 }).toEqual(joined);
    await rig.heal();
    expect(rig.ran).toEqual([running, ...joined]);
    expect(joined.map((id) => talk.settled.get(id)?.split(':')[0])).toEqual(joined.map(() => 'success'));
    expect(talk.settled.get(running)).toContain('Its turn was interrupted');
  });
});
