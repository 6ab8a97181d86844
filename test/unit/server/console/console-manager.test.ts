import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_USAGE } from '../../../../src/host/session/turns/usage.js';
import { ConsoleManager } from '../../../../src/server/console/sessions/console-manager.js';
import type { ConversationUser } from '../../../../src/server/manager/conversations/conversation-user.js';
import { systemClock as clock } from '../../../../src/wire/util/clock.js';
import { storeFolder } from '../../../support/manager.js';

const user: ConversationUser = {
  launch: () => ({}),
  attached: () => {},
  append: () => {},
  mayWait: true,
  changed: () => {},
  ended: () => {},
  prompted: () => {},
};
const begin = { owner: undefined, usedBefore: NO_USAGE, budgetUsd: 1, defer: undefined };

test.each([true, false])(
  'a manager of sessions whose record is elsewhere stores nothing here: %s',
  async (elsewhere) => {
    const folder = join(storeFolder(), 'running');
    const manager = new ConsoleManager({ folder, isRecordedElsewhere: elsewhere, clock, manager: {} });
    expect(await manager.open()).toEqual([]);
    const conversation = manager.begin('one', user, begin);
    expect(conversation.budgetUsd).toBe(1);
    expect(existsSync(folder)).toBe(!elsewhere);
    await manager.close();
    await manager.clean();
    expect(existsSync(folder)).toBe(!elsewhere);
  },
);
