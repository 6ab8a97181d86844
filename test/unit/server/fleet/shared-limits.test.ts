import { expect, test } from 'vitest';
import { SharedLimits } from '../../../../src/server/fleet/worker/shared-limits.js';
import { ownAccount } from '../../../../src/server/manager/limits/login.js';
import type { LoginLimits } from '../../../../src/server/manager/limits/plan-holds.js';
import { makeServers } from '../../../support/simulation/make-servers.js';

function limits(utilization: number, at: number, login = 'default'): LoginLimits {
  return { login, status: 'allowed', windows: [{ name: 'five_hour', utilization }], overage: false, at };
}

test('what one worker hears of a login, the others learn, also those that start later', async () => {
  const { world, connect } = makeServers();
  await world.run(async () => {
    const open = async () => {
      const learned: number[] = [];
      const shared = new SharedLimits(connect().leases);
      await shared.open();
      shared.listen(({ windows }) => learned.push(windows[0]?.utilization ?? 0));
      return { shared, learned };
    };
    const [one, two] = [await open(), await open()];
    one.shared.tell(limits(0.5, 1));
    one.shared.tell(limits(0.6, 2));
    one.shared.tell(limits(0.93, 3));
    one.shared.tell(limits(0.1, 3, 'other'));
    await world.sleep(1_000);
    // Of reports in quick succession, the last counts.
    expect(two.learned).toContain(0.93);
    two.shared.tell(limits(0.95, 4));
    await world.sleep(1_000);
    expect(one.learned.at(-1)).toBe(0.95);
    const late = await open();
    expect(late.learned.toSorted()).toEqual([0.1, 0.95]);
    for (const { shared } of [one, two, late]) shared.close();
  });
});

test('a report that could not be stored is no error, and the next one is stored', async () => {
  const { world, servers, connect } = makeServers();
  await world.run(async () => {
    const { leases } = connect();
    const shared = new SharedLimits(leases, 'one');
    await shared.open();
    servers.leave();
    shared.tell(limits(0.5, 1));
    await world.sleep(1_000);
    servers.comeBack();
    shared.tell(limits(0.7, 2));
    await world.sleep(1_000);
    expect((await leases.find('limits.one')).value).toMatchObject({ at: 2 });
    shared.close();
  });
});

test('workers with different accounts learn nothing from each other', async () => {
  const { world, connect } = makeServers();
  await world.run(async () => {
    const learned: string[] = [];
    const open = async (account: string) => {
      const shared = new SharedLimits(connect().leases, account);
      await shared.open();
      shared.listen(({ at }) => learned.push(`${account} ${at}`));
      return shared;
    };
    const [one, other] = [await open('one'), await open('other')];
    one.tell(limits(0.95, 1));
    await world.sleep(1_000);
    const late = [await open('one'), await open('other')];
    expect(new Set(learned)).toEqual(new Set(['one 1']));
    for (const shared of [one, other, ...late]) shared.close();
  });
});

test('the account of a key is the same everywhere, that of a login in files is not', () => {
  const key = { ANTHROPIC_API_KEY: 'k' };
  expect(ownAccount({ ...key, HOME: '/a' }, 'one')).toBe(ownAccount({ ...key, HOME: '/b' }, 'two'));
  expect(ownAccount(key, 'one')).not.toBe(ownAccount({ ANTHROPIC_API_KEY: 'other' }, 'one'));
  expect(ownAccount({ HOME: '/a' }, 'one')).not.toBe(ownAccount({ HOME: '/a' }, 'two'));
  expect(ownAccount({ HOME: '/a' }, 'one')).toBe(ownAccount({ HOME: '/a' }, 'one'));
});
