import { isObject } from '../../wire/protocol/frames.js';
import { SECRET_RULES } from '../../wire/trace/redact/patterns.js';
import { pathsOf, readText, readVariable, type System } from '../../wire/transport/process/system.js';

/** Notes about the user's own settings that put secrets on command lines. Names and files only, never values. */
export function secretArgumentNotes(cwd: string, system: System): readonly string[] {
  return settingsFiles(cwd, system).flatMap((file) => {
    const settings = parsed(readText(system.files, file));
    return [...serverNotes(settings, cwd), ...commandNotes(settings)].map((what) => `${what} (${file})`);
  });
}

/** The files that CLIs read servers and commands from. */
function settingsFiles(cwd: string, { platform, env, home }: System): readonly string[] {
  const { join } = pathsOf(platform);
  const config = readVariable(platform, env, 'CLAUDE_CONFIG_DIR');
  return [
    join(config ?? home, '.claude.json'),
    join(config ?? join(home, '.claude'), 'settings.json'),
    join(cwd, '.claude', 'settings.json'),
    join(cwd, '.claude', 'settings.local.json'),
    join(cwd, '.mcp.json'),
  ];
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Servers for all folders, and in `.claude.json` also those for this folder. */
function serverNotes(settings: unknown, cwd: string): readonly string[] {
  const { mcpServers, projects } = objectOr(settings);
  const { mcpServers: here } = objectOr(objectOr(projects)[cwd]);
  return [mcpServers, here].flatMap((servers) =>
    Object.entries(objectOr(servers)).flatMap(([name, server]) => {
      const { command, args } = objectOr(server);
      const words = [command, ...(Array.isArray(args) ? args : [])].filter(
        (word) => typeof word === 'string',
      );
      return holdsSecret(words.join(' '))
        ? [
            `The MCP server ${name} has a secret in its arguments, where every user of the machine can read it: move it to its env`,
          ]
        : [];
    }),
  );
}

function commandNotes(settings: unknown): readonly string[] {
  return commandsIn(settings).some(holdsSecret)
    ? [
        'A command of a hook or helper contains a secret, and every user of the machine can read it while it runs: move it to a file or a variable',
      ]
    : [];
}

/** The commands that the CLI runs in a shell: hooks, status lines, suggestions of files and helpers for credentials. */
function commandsIn(settings: unknown): readonly string[] {
  const { hooks, ...others } = objectOr(settings);
  const lines = ['statusLine', 'subagentStatusLine', 'fileSuggestion'];
  const helpers = ['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'otelHeadersHelper'];
  const texts = [
    ...lines.map((name) => objectOr(others[name]).command),
    ...helpers.map((name) => others[name]),
  ];
  const runs = Object.values(objectOr(hooks))
    .flat()
    .flatMap((matcher) => objectOr(matcher).hooks)
    .map((hook) => objectOr(hook).command);
  return [...texts, ...runs].filter((text) => typeof text === 'string');
}

function objectOr(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function holdsSecret(text: string): boolean {
  return SECRET_RULES.some(({ apply }) => apply(text) !== text);
}
