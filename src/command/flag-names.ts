import { sessionOptionSpecs } from '../host/session/session-option-table.js';

/** Flags that are not called as the option of the SDK that they set. */
const FLAGS: Readonly<Record<string, string>> = {
  allowedTools: '--allow',
  disallowedTools: '--deny',
  mcpServers: '--mcp-config',
  outputSchema: '--json-schema',
};

/** A message about options of the SDK in the words of somebody at a terminal: flags instead of options. */
export function inFlags(message: string): string {
  return message
    .replace(/^Option "(\w+)"/, (said, name) => (isOption(name) ? flagOf(name) : said))
    .replace(/^(\w+)(?=[.[])/, (said, name) => (isOption(name) ? `${flagOf(name)}: ${name}` : said))
    .replaceAll(/"(\w+)"/g, (said, name) => (isOption(name) ? flagOf(name) : said));
}

function isOption(name: string): boolean {
  return Object.hasOwn(sessionOptionSpecs, name);
}

function flagOf(name: string): string {
  return FLAGS[name] ?? `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
