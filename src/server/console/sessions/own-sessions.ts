import { join } from 'node:path';
import type { SessionOptions } from '../../../host/session/session-options.js';
import { defaultConfigDir } from '../../../host/transcripts/project-folders.js';
import { systemClock } from '../../../wire/util/clock.js';
import type { LimitExchange } from '../../manager/limits/plan-holds.js';
import { runHere } from '../commands/command-runner.js';
import { Folders, findRoots } from '../commands/folders.js';
import { History } from '../commands/history.js';
import type { ConsoleOptions } from '../console-options.js';
import { Worktrees, worktreePlace } from '../files/worktrees.js';
import type { AuditLog } from '../keys/audit-log.js';
import { ConsoleManager } from './console-manager.js';
import type { ConsoleSession, ConsoleSessionParts } from './console-session.js';
import { MemoryWatch } from './memory-watch.js';
import { SessionRegistry } from './session-registry.js';
import type { SessionListener, SessionSource } from './session-source.js';

/** The dependencies of {@link ownSessions}. */
export interface OwnSessionParts extends SessionListener {
  readonly options: ConsoleOptions;
  /** Where sessions are kept. */
  readonly folder: string;
  readonly audit: AuditLog;
  readonly pace?: ConsoleSessionParts['pace'];
  /** See {@link ConsoleSessionParts}. */
  readonly whenStored?: ConsoleSessionParts['whenStored'];
  /** Other servers that share logins with this one. */
  readonly limitExchange?: LimitExchange | undefined;
}

/** Sessions whose CLIs run here. */
export interface OwnSessions extends SessionSource {
  readonly sessions: SessionRegistry;
}

const MEMORY_LIMIT = 2 * 1024 ** 3;

/** The sessions of a server that starts CLIs itself. */
export async function ownSessions(parts: OwnSessionParts): Promise<OwnSessions> {
  const { options, audit, webhooks, onChange } = parts;
  const { allowBypass = false, configDir, limits = {}, clock = systemClock } = options;
  const place = await worktreePlace(parts.folder);
  const folders = new Folders(await findRoots(options.roots ?? [process.cwd()]), [place]);
  const worktrees = new Worktrees(place, folders);
  const history = new History({ folders, configDir });
  const registry = makeRegistry(parts, { folders, worktrees, history });
  const memory = new MemoryWatch<ConsoleSession>({
    sessions: () => registry.all,
    clock,
    limit: limits.memory ?? MEMORY_LIMIT,
    onChange,
  });
  return {
    sessions: registry,
    roots: folders.roots,
    run: runHere({ registry, folders, worktrees, history, audit, webhooks, allowBypass }),
    watched: (watched) => {
      memory.watched = watched;
    },
    open: () => registry.restore(),
  };
}

function makeRegistry(
  { options, folder, onChange, onRemoved, pace, whenStored, limitExchange }: OwnSessionParts,
  {
    folders,
    worktrees,
    history,
  }: { readonly folders: Folders; readonly worktrees: Worktrees; readonly history: History },
): SessionRegistry {
  const { session = {}, allowBypass = false, configDir, limits = {}, clock = systemClock } = options;
  const maxOpen = limits.sessions ?? 100;
  const { maxRunning = maxOpen, idleMs, parkBy, onLimit, limitSpreadMs, holdAbove, budgets = {} } = options;
  // Sessions have their own budgets, so they can be shown and raised.
  const { conversation: sessionBudgetUsd, ...shared } = budgets;
  return new SessionRegistry({
    folder: join(folder, 'sessions'),
    manager: new ConsoleManager({
      folder: join(folder, 'running'),
      isRecordedElsewhere: whenStored !== undefined,
      clock,
      limitExchange,
      manager: { maxRunning, idleMs, parkBy, onLimit, limitSpreadMs, holdAbove, budgets: shared },
    }),
    base: (opened) => {
      // Once more: between the check and the start of a CLI, someone may have begun to end its worktree.
      worktrees.refuseEnding(opened.cwd);
      return {
        ...bypassOptions(allowBypass),
        ...(typeof session === 'function' ? session(opened) : session),
      };
    },
    check: async (opened, isKnown) => {
      const checked = await history.checkResume(await folders.checkOpen(opened), isKnown);
      worktrees.refuseEnding(checked.cwd);
      return checked;
    },
    clock,
    now: Date.now,
    logLimits: limits.log,
    graceMs: limits.ownerGraceMs,
    allowBypass,
    configDir: configDir ?? defaultConfigDir(),
    maxOpen,
    maxEnded: limits.ended ?? 200,
    sessionBudgetUsd,
    readMessages: (conversation, cwd) => history.messages(conversation, cwd),
    onChange,
    onRemoved,
    pace,
    whenStored,
  });
}

/** A CLI can be switched to bypassPermissions only if it was started for that, which never happens for root. */
function bypassOptions(allowBypass: boolean): SessionOptions {
  return allowBypass && process.getuid?.() !== 0 ? { allowDangerouslySkipPermissions: true } : {};
}
