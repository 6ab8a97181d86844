import { describe, expect, test } from 'vitest';
import { testedVersions } from '../support/tested-versions.js';
import { expectNoListener, holdings, nothingMoreThan } from './leftovers.js';
import { plays } from './plays/plays.js';
import { casesBy } from './rows.js';
import { untilState } from './seen.js';
import { Stage } from './stage.js';

const rows = casesBy('emulator');
const playOf = (run: string) => run.split(':')[0] ?? '';

describe.each(testedVersions)('with %s', (version) => {
  const played = rows.filter(({ on }) => on === undefined || on.includes(version));

  test.each(played.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const before = holdings();
    const stage = new Stage(row, version);
    await plays[playOf(row.run)]?.(stage);
    await untilState(stage.session, row.see.session);
    expect({ ...stage.reports.rest(stage.session), ...stage.seen }).toEqual(row.see);
    await stage.session.close();
    expect(stage.session.state).toBe('ended');
    expect(stage.clock.size).toBe(0);
    expectNoListener(stage.owner.signal);
    await stage.cli.transport.ended;
    await nothingMoreThan(before);
  });
});

test('every play is in the table, and every row has a play', () => {
  const named = new Set(rows.map(({ run }) => playOf(run)));
  expect([...named].toSorted()).toEqual(Object.keys(plays).toSorted());
});
