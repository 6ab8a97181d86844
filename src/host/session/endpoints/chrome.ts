import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { isObject } from '../../../wire/protocol/frames.js';
import type { Call } from '../controls/call.js';
import { findRow, type McpServerState } from '../servers/mcp-answer.js';
import type { GetFacts } from './cli-facts.js';
import { resolveEndpoint } from './resolve.js';

/** The MCP server through which CLIs reach the Chrome extension. */
export const CHROME_SERVER = 'claude-in-chrome';

/** The state of the Chrome extension; null for what the CLI at hand cannot tell. */
export interface ChromeStatus {
  /** Whether the extension is installed; null where the CLI does not tell. */
  readonly installed: boolean | null;
  /** Whether it is switched on; null where the CLI does not tell. */
  readonly enabled: boolean | null;
  /** Whether the extension is connected; null where the CLI does not tell. */
  readonly connected: boolean | null;
  /** How the MCP server behind it is. */
  readonly mcpServerStatus: McpServerState | null;
  /** The version of the extension, where it is known. */
  readonly extensionVersion: string | null;
}

/** Asks for the state of the Chrome extension the way that the CLI at hand can. */
export async function chromeStatus({
  call,
  facts: getFacts,
  options,
}: {
  call: Call;
  facts: GetFacts;
  options: RequestOptions | undefined;
}): Promise<ChromeStatus> {
  const served = resolveEndpoint('get_chrome_status', await getFacts());
  if (served.how === 'patched') return read(await call('get_chrome_status', {}, options));
  const row = await findRow(call, CHROME_SERVER, options);
  const mcpServerStatus = row?.status ?? null;
  if (served.by === 'mcp_status') return read({ connected: row?.status === 'connected', mcpServerStatus });
  const { installed, connected: told, enabledByDefault } = await call('get_chrome_dialog', {}, options);
  const connected = told === true && (await hasBrowser(call, options));
  return read({ installed, connected, enabled: enabledByDefault, mcpServerStatus });
}

/** The dialog may count on a browser that has gone; where the CLI lists them, the list counts. */
async function hasBrowser(call: Call, options: RequestOptions | undefined): Promise<boolean> {
  const answer = await call('get_chrome_browsers', {}, options).catch(() => undefined);
  return !Array.isArray(answer?.browsers) || answer.browsers.length > 0;
}

function read(value: unknown): ChromeStatus {
  const told: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  const { installed, enabled, connected, mcpServerStatus, extensionVersion } = told;
  return {
    installed: typeof installed === 'boolean' ? installed : null,
    enabled: typeof enabled === 'boolean' ? enabled : null,
    connected: typeof connected === 'boolean' ? connected : null,
    mcpServerStatus: typeof mcpServerStatus === 'string' ? mcpServerStatus : null,
    extensionVersion: typeof extensionVersion === 'string' ? extensionVersion : null,
  };
}
