import { realSystem } from '../../../wire/transport/process/system.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { buildEnvironment } from '../environment.js';
import { argumentText } from './argument-text.js';
import { passOptions } from './arguments.js';
import type { CliOptions } from './cli-options.js';
import { reportExposed } from './private-values.js';

/** The launch that a session requests, for a transport that starts the CLI in its own way. */
export interface AskedLaunch {
  /** The arguments of the CLI, without the program itself. */
  readonly arguments: readonly string[];
  /** The working folder, if one was requested. */
  readonly cwd: string | undefined;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The conversation to resume; undefined for a new one. */
  readonly resume: string | undefined;
  /** The id of a new conversation, if one was chosen. */
  readonly sessionId: string | undefined;
}

/** The launch that these options request. MCP servers are left out: over a custom transport they are set later. */
export function askedLaunch({ mcpServers: _servers, ...options }: CliOptions): AskedLaunch {
  const { cwd, env, envMode, resume, sessionId } = options;
  checkFiles(options);
  const passed = passOptions(options);
  // A file of this host may not exist where the transport starts the CLI.
  reportExposed(passed.arguments, 'a CLI behind a custom transport', options.onDiagnostic);
  return {
    arguments: passed.arguments.map(argumentText),
    cwd,
    env: buildEnvironment({ env, envMode, fromOptions: passed.variables }, realSystem()),
    resume,
    sessionId,
  };
}

/** Flags that take their text instead of a file with it. */
const TAKES_TEXT: ReadonlySet<string> = new Set(['settings', 'mcp-config']);

/** @throws CoxswainError `OPTION_INVALID` for a file of a flag that takes only a path: there is none. */
function checkFiles({ extraArgs = {} }: CliOptions): void {
  for (const [name, value] of Object.entries(extraArgs)) {
    if (typeof value !== 'object' || value === null || TAKES_TEXT.has(name)) continue;
    const message = `extraArgs.${name}: a custom transport gets no private files. Pass a path that its CLI can read.`;
    throw new CoxswainError('OPTION_INVALID', message);
  }
}
