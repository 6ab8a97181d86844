import { sessionOptionSpecs } from '../host/session/session-option-table.js';

/** Flags whose names differ from the SDK options they set. */
const FLAGS: Readonly<Record<string, string>> = {
  allowedTools: '--allow',
  disallowedTools: '--deny',
  mcpServers: '--mcp-config',
  outputSchema: '--json-schema',
};

/** Rewrites a message about SDK options for the command line: flags instead of options. */
export function inFlags(message: string): string {
  return message
    .replace(/^Option "(\w+)"/, (said, name) => (isOption(name) ? flagOf(name) : said))
    .replace(/^(\w+)(?=[.[])/, (said, name) => (isOption(name) ? `${flagOf(name)}: ${name}` : said))
    .replaceAll(/"(\w+)"/g, (said, name) => (isOption(name) ? flagOf(name) : said));
}

function isOption(name: string): boolean {
  return Object.hasOwn(sessionOptionSpecs, name);
}

/** The flag that sets an option. */
export function flagOf(name: string): string {
  return FLAGS[name] ?? `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
