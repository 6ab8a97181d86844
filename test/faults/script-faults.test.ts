import { describe, expect, test } from 'vitest';
import { casesBy } from './rows.js';
import { ScriptedSession, usePrivateFolder } from './scripted-session.js';
import { untilState } from './seen.js';

usePrivateFolder();

describe('a CLI process that', () => {
  test.each(casesBy('script').map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    using scripted = new ScriptedSession(row);
    await scripted.live(row.see);
    await untilState(scripted.session, row.see.session);
    expect({ ...scripted.reports.rest(scripted.session), ...scripted.seen }).toEqual(row.see);
    await scripted.leaveNothing();
  });
});
