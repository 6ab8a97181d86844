import { rewindFrom2117 } from '../requests/file-requests.js';
import { initialize2117 } from '../requests/initialize-requests.js';
import { mcpReconnect2117, mcpSetServers2117 } from '../requests/mcp-requests.js';
import type { Personality } from '../requests/request-handler.js';
import { cli2073 } from './cli-2-0-73.js';

/** 2.1.17: as 2.0.73, with two more requests and other ways to die. */
export const cli2117: Personality = {
  traits: {
    ...cli2073.traits,
    version: '2.1.17',
    fatalLines: new Set([...cli2073.traits.fatalLines].filter((line) => line !== 'environment')),
    hookMayOnlyUpdateInput: true,
    replacesGivenServers: true,
  },
  handlers: {
    ...cli2073.handlers,
    initialize: initialize2117,
    mcp_set_servers: mcpSetServers2117,
    mcp_reconnect: mcpReconnect2117,
    mcp_toggle: mcpReconnect2117,
    rewind_files: rewindFrom2117({}),
  },
};
