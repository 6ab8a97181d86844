import { findInProcess, type InProcessServer } from '../../../host/mcp/server-object.js';
import { isObject } from '../../../wire/protocol/frames.js';
import type { Options } from '../types/option-types.js';

type Servers = Options['mcpServers'];

/** The servers that the CLI itself starts or connects to. */
export function processServers(servers: Servers = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(servers).filter(([, server]) => !isOwn(server)));
}

/** The servers that run in this process. */
export function ownServers(servers: Servers = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(servers).filter(([, server]) => isOwn(server)));
}

/** What the CLI gets about in-process servers besides their names. */
export function ownServerSettings(servers: Servers): Record<string, object> | undefined {
  const told = Object.entries(ownServers(servers)).flatMap(([name, server]) => {
    const { timeout, tools } = isObject(server) ? server : {};
    const settings = {
      ...(timeout === undefined ? {} : { timeout }),
      ...(tools === undefined ? {} : { tools }),
    };
    return Object.keys(settings).length === 0 ? [] : [[name, settings] as const];
  });
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

/** The server objects of this process by name. */
export function serverObjects(servers: Servers): Record<string, InProcessServer> {
  const found = Object.entries(ownServers(servers)).flatMap(([name, server]) => {
    const object = findInProcess(server);
    return object === undefined ? [] : [[name, object] as const];
  });
  return Object.fromEntries(found);
}

function isOwn(server: unknown): boolean {
  return isObject(server) && server.type === 'sdk';
}
