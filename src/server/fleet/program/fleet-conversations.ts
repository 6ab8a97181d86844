import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../wire/util/clock.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { CommandRunner } from '../../console/commands/command-runner.js';
import { type Conversations, ownConversations } from '../../console/service/conversations.js';
import type { HubClient } from '../../console/socket/hub.js';
import type { EngineOptions } from '../engine/engine-options.js';
import { FleetCommands } from '../gateway/fleet-commands.js';
import { FleetSessions } from '../gateway/fleet-sessions.js';
import { openEngine } from '../nats/open-engine.js';
import { WorkerList } from '../placement/worker-list.js';
import { ANYWHERE, type Place } from '../record.js';

/** How a program reaches a fleet, and the placement of its conversations. */
export interface FleetOptions extends EngineOptions {
  /** The placement of new conversations. Default: anywhere. */
  readonly place?: Partial<Place> | undefined;
}

/** The conversations of a fleet, for one program: what a gateway has, without a server. */
export interface FleetConversations {
  /** The conversations for somebody whose new ones are charged to this owner. */
  of(owner: string): Conversations;
  close(): Promise<void>;
}

/** Connects to a fleet; resolves when all its conversations are known. @throws CoxswainError `FLEET_NOT_STARTED`. */
export async function fleetConversations(
  options: FleetOptions,
  clock: Clock,
  onDiagnostic: OnDiagnostic,
): Promise<FleetConversations> {
  const engine = await openEngine(options, 'coxswain manager');
  const clients = new Set<HubClient>();
  const workers = new WorkerList();
  const sessions = new FleetSessions(engine, clock, {
    onChange: ({ summary }) => {
      for (const client of clients) client.changed(summary, '');
    },
    onRemoved: ({ id }) => {
      for (const client of clients) client.forget(id);
    },
    onDiagnostic,
  });
  const place = { ...ANYWHERE, ...options.place };
  const { run } = new FleetCommands({ engine, clock, sessions, workers, place });
  // Workers keep the audit log, and decide about modes.
  const audit = { add: () => {} };
  const runner = new CommandRunner({ sessions, audit, allowBypass: true, run });
  const join = (client: HubClient) => {
    clients.add(client);
    return () => void clients.delete(client);
  };
  const conversationsFor = ownConversations({ registry: sessions, runner, hub: { join } });
  const client = randomUUID();
  const close = async () => {
    workers.close();
    await sessions.close();
    await engine.close();
  };
  try {
    await workers.open(engine, () => {});
    await sessions.open();
  } catch (error) {
    await close();
    throw error;
  }
  const of = (owner: string) =>
    conversationsFor({ kind: 'program', role: 'owner', key: owner, keyHash: client }, 'A program');
  return { of, close };
}
