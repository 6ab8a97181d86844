import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { CommandRunner } from '../../src/server/console/commands/command-runner.js';
import { AuditLog } from '../../src/server/console/keys/audit-log.js';
import { type Conversations, ownConversations } from '../../src/server/console/service/conversations.js';
import { ownSessions } from '../../src/server/console/sessions/own-sessions.js';
import { Hub } from '../../src/server/console/socket/hub.js';
import { Webhooks } from '../../src/server/console/webhooks/webhooks.js';
import { systemClock as clock } from '../../src/wire/util/clock.js';
import { temporaryFolder } from './console.js';
import { emulatedStarts } from './emulated-starts.js';

/** The conversations of a console without its server: no port, no socket. */
export interface ConsoleService {
  readonly conversations: Conversations;
  /** A folder that conversations may work in. */
  readonly root: string;
  /** Ends every client, as a server does that stops or whose key was revoked. */
  readonly loseClients: () => Promise<void>;
  readonly runner: CommandRunner;
}

/** The parts of a console with emulated CLIs; they end after the test. */
export async function consoleService(scenario: () => Scenario): Promise<ConsoleService> {
  const [folder, root] = [await temporaryFolder(), await temporaryFolder()];
  const { transport } = emulatedStarts(scenario, { partialMessages: true });
  const audit = new AuditLog(join(folder, 'audit.jsonl'), Date.now);
  const webhooks = new Webhooks({ folder, clock, now: Date.now, answerUrl: () => '' });
  const source = await ownSessions({
    webhooks,
    audit,
    folder,
    onChange: (session) => hub.changed(session),
    onRemoved: (session) => hub.removed(session),
    options: { roots: [root], configDir: root, session: { transport } },
  });
  const { sessions: registry, run } = source;
  const runner = new CommandRunner({ sessions: registry, audit, allowBypass: false, run });
  const hub: Hub = new Hub({
    registry,
    runner,
    clock,
    isGood: () => true,
    maxClients: 10,
    onWatched: () => {},
    hello: {
      type: 'hello',
      protocol: 1,
      version: '0.0.0',
      server: 'test',
      roots: [root],
      allowBypass: false,
      demo: false,
      suggestions: [],
      problems: [],
    },
  });
  await source.open();
  onTestFinished(async () => {
    await registry.close();
    await hub.close();
    await webhooks.close();
    await audit.close();
  });
  const owner = { kind: 'program', role: 'owner', key: 'test', keyHash: '' } as const;
  const conversations = ownConversations({ registry, runner, hub })(owner, 'A test');
  return { conversations, root, runner, loseClients: () => hub.close() };
}
