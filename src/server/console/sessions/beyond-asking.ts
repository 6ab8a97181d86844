import type { OpenParams } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** The session options that allow it to act without asking, as text. */
export function beyondAsking({ program }: OpenParams): readonly string[] {
  const { options = {} } = program ?? {};
  const settings = isObject(options.settings) ? options.settings : {};
  const { allow } = isObject(settings.permissions) ? settings.permissions : {};
  const servers = isObject(options.mcpServers) ? Object.values(options.mcpServers).filter(isObject) : [];
  const found = {
    'rules that allow tools': hasAny(options.allowedTools) || hasAny(allow),
    'hooks that run programs': isObject(settings.hooks) && Object.keys(settings.hooks).length > 0,
    'MCP servers that are programs': servers.some(({ command }) => command !== undefined),
  };
  return Object.entries(found).flatMap(([words, is]) => (is ? [words] : []));
}

/** The same, for a client's control request. */
export function requestBeyondAsking(subtype: string): string | undefined {
  return REQUESTS.get(subtype);
}

/** Why a session is ended if its CLI no longer asks. */
export function bypassRefused(): CoxswainError {
  const message =
    'The CLI switched to bypassPermissions, which this console does not allow. The session was ended.';
  return new CoxswainError('BYPASS_REFUSED', message);
}

const REQUESTS: ReadonlyMap<string, string> = new Map([
  ['apply_flag_settings', 'settings that a client changed'],
  ['mcp_set_servers', 'MCP servers that a client set'],
]);

function hasAny(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
