import type { WireObject } from '../../../../wire/protocol/frames.js';
import { PATCHES_KEY } from '../../../../wire/protocol/patches-key.js';
import type { Cli } from '../cli.js';

/** The patches in this package, as a patched copy names them in its answer to `initialize`. */
export const emulatedPatches = [
  { id: '001-run-in-background', version: 4, serves: ['agent_run_to_background', 'stop_task'] },
  { id: '002-chrome-status', version: 2, serves: ['get_chrome_status'] },
  { id: '003-parent-uuid', version: 1, serves: ['parentUuid'] },
  { id: '004-mcp-reconnect', version: 3, serves: ['mcp_reconnect'] },
  { id: '005-mcp-tools', version: 2, serves: ['mcp_tools'] },
  { id: '006-mcp-disable-enable', version: 3, serves: ['mcp_disable', 'mcp_enable'] },
  { id: '007-unknown-subtype', version: 1, serves: [] },
] as const;

/** The additional fields in a patched copy's answer to `initialize`. */
export function patchesTold({ state }: Cli): WireObject {
  return state.patched ? { [PATCHES_KEY]: emulatedPatches } : {};
}
