import type { OwnLaunch } from '../../host/session/opening/session-launch.js';
import { Session } from '../../host/session/session.js';
import type { SessionDeps } from '../../host/session/session-host.js';
import { checkSessionOptions } from '../../host/session/session-option-table.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import type { OutputSchema } from '../../host/session/turns/requested-output.js';
import {
  checkOptions,
  either,
  isRecord,
  kind,
  kinds,
  OptionError,
  type OptionKind,
  type OptionSpec,
  shapeOf,
} from '../../wire/util/option-checks.js';
import type { RemoteOptions } from '../remote/remote-launch.js';

/** Everything that `openSession` takes. */
export interface OpenOptions<Schema extends OutputSchema = OutputSchema> extends SessionOptions<Schema> {
  /**
   * Opens or joins a session on a console server instead of starting a CLI here: its address, or an object with more
   * settings.
   */
  readonly remote?: string | RemoteOptions | undefined;
  /** The token of that server, if its address does not contain it. Needs `remote`. */
  readonly token?: string | undefined;
}

/** Creates a session whose CLI runs on a console server; the code for that is loaded only here. */
export function remoteSession({ remote: given, token, ...options }: OpenOptions, deps: SessionDeps): Session {
  const remote = asRemote({ remote: given, token });
  for (const name of ['transport', 'patched', 'cli', 'spawner'] as const) {
    if (options[name] !== undefined) {
      throw new OptionError(name, `Option "${name}": with "remote" no CLI is started here.`);
    }
  }
  if (remote.session !== undefined) {
    for (const name of ['hooks', 'mcpServers'] as const) {
      if (options[name] === undefined) continue;
      throw new OptionError(
        name,
        `Option "${name}": a joined session uses those of the program that opened it.`,
      );
    }
  }
  checkSessionOptions(options);
  let launcher: Promise<OwnLaunch> | undefined;
  const launch: OwnLaunch = async (identity, servers) => {
    launcher ??= import('../remote/remote-launch.js').then(({ remoteLauncher }) =>
      remoteLauncher(options, remote, deps.clock),
    );
    return (await launcher)(identity, servers);
  };
  return new Session(ownOptions(options, remote), { ...deps, launch });
}

const remoteKeys = {
  url: kinds.text,
  token: kinds.text,
  session: kinds.uuid,
  after: kind('a whole number, or -1', (value) => Number.isSafeInteger(value) && Number(value) >= -1),
  keep: kinds.flag,
  name: kinds.text,
  giveUpAfterMs: kinds.positiveNumber,
} as const satisfies Record<keyof RemoteOptions, OptionKind>;

const remoteShape = shapeOf(remoteKeys);

/** The options that only `openSession` has, with their kinds and descriptions. */
export const remoteOptionSpecs: Readonly<Record<'remote' | 'token', OptionSpec>> = {
  remote: {
    kind: either(
      kind('the address of a console server', kinds.text.accepts),
      kind(
        `${remoteShape.expected}, with url`,
        (value) => remoteShape.accepts(value) && isRecord(value) && value.url !== undefined,
      ),
    ),
    sentence:
      'Opens or joins a session on a console server instead of starting a CLI here: its address, or an object with more settings.',
  },
  token: {
    kind: kinds.text,
    sentence: 'The token of that server, if its address does not contain it. Needs `remote`.',
  },
};

function asRemote({ remote, token }: Pick<OpenOptions, 'remote' | 'token'>): RemoteOptions {
  checkOptions(remoteOptionSpecs, { remote, token });
  if (remote === undefined) throw new OptionError('token', 'Option "token": it needs "remote".');
  const given = typeof remote === 'string' ? { url: remote } : remote;
  return token === undefined ? given : { ...given, token };
}

/**
 * The options of the program's own session. If it only joined, prompts without a callback are left to others,
 * and a list of system prompts goes to the server in another way.
 */
function ownOptions(options: SessionOptions, remote: RemoteOptions): SessionOptions {
  const { systemPrompt, ...rest } = options;
  const own = Array.isArray(systemPrompt) ? rest : options;
  return remote.session === undefined ? own : { prompts: 'manual', ...own };
}
