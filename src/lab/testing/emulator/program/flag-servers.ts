import { readFileSync } from 'node:fs';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { newServer } from '../asking/emulated-servers.js';
import type { ServerState } from '../session-state.js';
import type { Traits } from '../versions/traits.js';
import type { Launch, Refusal } from './arguments.js';

/** The servers of the command line. */
export interface FlagServers {
  readonly connectable: readonly ServerState[];
  /** Servers that are left out, with the reason. */
  readonly errors: readonly WireObject[];
}

/** Reads the servers in `--mcp-config`; an invalid configuration ends old versions. */
export function flagServers({ args, traits }: Launch): FlagServers | Refusal {
  const texts = args.flags.get('--mcp-config') ?? [];
  const configs = texts.map(readConfig);
  const broken = configs.indexOf(undefined);
  if (broken !== -1) return refusal(traits, texts[broken] ?? '');
  const entries = configs.flatMap((config) => Object.entries(config ?? {}));
  const nameless = entries.find(([, config]) => isNameless(config));
  if (nameless !== undefined && diesOfNameless(traits)) return refusal(traits, `${nameless[0]} has no name`);
  const named = entries.filter(([, config]) => !isNameless(config));
  const left = entries.filter(([, config]) => isNameless(config));
  return {
    connectable: named.flatMap(([name, config]) => (isObject(config) ? [server(name, config)] : [])),
    errors: (traits.leavesOutNamelessServers ? left : []).map(([name]) => ({
      name,
      type: 'invalid_config',
      message: `${name} has no name`,
    })),
  };
}

function server(name: string, config: WireObject): ServerState {
  return newServer(name, { kind: config.type === 'sdk' ? 'sdk' : 'process', from: 'flags', config });
}

function isNameless(config: unknown): boolean {
  return isObject(config) && config.type === 'sdk' && typeof config.name !== 'string';
}

/** Newer versions only leave out an in-process server without a name, some of them silently. */
function diesOfNameless(traits: Traits): boolean {
  return (
    !traits.leavesOutNamelessServers && !(traits.tellsOfNamelessServers && traits.refusesUnknownRequests)
  );
}

/** Some exit silently and with code 0. */
function refusal({ tellsOfNamelessServers }: Traits, what: string): Refusal {
  if (!tellsOfNamelessServers) return { code: 0, stderr: '' };
  return { code: 1, stderr: `Error: Invalid MCP configuration: ${what}\n` };
}

function readConfig(text: string): WireObject | undefined {
  try {
    const config: unknown = JSON.parse(text.trimStart().startsWith('{') ? text : readFileSync(text, 'utf8'));
    return isObject(config) && isObject(config.mcpServers) ? config.mcpServers : undefined;
  } catch {
    return undefined;
  }
}
