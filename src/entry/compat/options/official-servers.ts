import { findInProcess, type InProcessServer } from '../../../host/mcp/server-object.js';
import { isObject } from '../../../wire/protocol/frames.js';
import type { Options } from '../types/option-types.js';

type Servers = Options['mcpServers'];

/** The servers that the CLI itself starts or connects to. */
export function processServers(servers: Servers = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(servers).filter(([, server]) => !isOwn(server)));
}

/** The servers that the CLI gets in `initialize` instead of on its command line. */
export function initializeServers({
  mcpServers,
  mcpServersDelivery,
}: Options): Record<string, unknown> | undefined {
  const outside = processServers(mcpServers);
  return mcpServersDelivery === 'initialize' && Object.keys(outside).length > 0 ? outside : undefined;
}

/** The servers that run in this process. */
export function ownServers(servers: Servers = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(servers).filter(([, server]) => isOwn(server)));
}

/** What the CLI gets about in-process servers besides their names. */
export function ownServerSettings(servers: Servers): Record<string, object> | undefined {
  const told = Object.entries(ownServers(servers)).flatMap(([name, server]) => {
    const told = isObject(server)
      ? Object.entries(SETTINGS).map(([key, read]) => [key, read(server[key])])
      : [];
    const settings = told.filter(([, value]) => value !== undefined);
    return settings.length === 0 ? [] : [[name, Object.fromEntries(settings)] as const];
  });
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

/** What a CLI takes of a server, as the original passes it on; anything else is left out. */
const SETTINGS: Readonly<Record<string, (value: unknown) => unknown>> = {
  timeout: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
  tools: (value) => (Array.isArray(value) ? value : undefined),
  disableAutoBackground: (value) => (value === true ? true : undefined),
  connectorId: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
  autoModeVerdictTools: (value) => (areTexts(value) ? value : undefined),
  onPersonsMachine: (value) =>
    value === undefined
      ? undefined
      : { exceptTools: isObject(value) && areTexts(value.exceptTools) ? value.exceptTools : [] },
};

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
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
