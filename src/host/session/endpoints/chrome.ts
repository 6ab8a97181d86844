import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { findExtensionVersion } from '../../cli/program/chrome-extension.js';
import type { Call } from '../controls/call.js';
import { findRow, type McpServerState } from '../servers/mcp-answer.js';
import type { CliFacts, GetFacts } from './cli-facts.js';
import { resolveEndpoint } from './resolve.js';

/** The MCP server that connects CLIs to the Chrome extension. */
export const CHROME_SERVER = 'claude-in-chrome';

/** The state of the Chrome extension; fields that the CLI cannot report are null. */
export interface ChromeStatus {
  /** Whether the extension is installed; null if the CLI does not report it. */
  readonly installed: boolean | null;
  /** Whether it is enabled; null if the CLI does not report it. */
  readonly enabled: boolean | null;
  /** Whether the extension is connected; null if the CLI does not report it. */
  readonly connected: boolean | null;
  /** The state of the extension's MCP server. */
  readonly mcpServerStatus: McpServerState | null;
  /** The version of the extension, from the CLI or else from its folder in a browser on this machine. */
  readonly extensionVersion: string | null;
}

/** Asks for the state of the Chrome extension in the way that the current CLI supports. */
export async function chromeStatus({
  call,
  facts: getFacts,
  options,
}: {
  call: Call;
  facts: GetFacts;
  options: RequestOptions | undefined;
}): Promise<ChromeStatus> {
  const facts = await getFacts();
  if (facts.otherHost !== undefined) return read(await facts.otherHost.ask('chrome.status', {}, options));
  const told = await ask({ call, facts, options });
  if (told.extensionVersion !== null || facts.home === undefined) return told;
  return { ...told, extensionVersion: await findExtensionVersion(facts.home) };
}

interface Asking {
  readonly call: Call;
  readonly facts: CliFacts;
  readonly options: RequestOptions | undefined;
}

async function ask({ call, facts, options }: Asking): Promise<ChromeStatus> {
  const served = resolveEndpoint('get_chrome_status', facts);
  if (served.how === 'patched') return read(await call('get_chrome_status', {}, options));
  const row = await findRow(call, CHROME_SERVER, options);
  const mcpServerStatus = row?.status ?? null;
  if (served.by === 'mcp_status') return read({ connected: row?.status === 'connected', mcpServerStatus });
  const { installed, connected: told, enabledByDefault } = await call('get_chrome_dialog', {}, options);
  const connected = told === true && (await hasBrowser({ call, facts, options }));
  return read({ installed, connected, enabled: enabledByDefault, mcpServerStatus });
}

/**
 * The dialog may include a browser that is gone. If the CLI lists browsers, the list counts; a refusal means there are
 * none.
 */
async function hasBrowser({ call, facts, options }: Asking): Promise<boolean> {
  if (facts.capabilities.fateOf('get_chrome_browsers') !== 'served') return true;
  try {
    const { browsers } = await call('get_chrome_browsers', {}, options);
    return Array.isArray(browsers) && browsers.length > 0;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    // This CLI has no such list.
    if (errorCode(error) === 'ENDPOINT_UNSUPPORTED') return true;
    throw error;
  }
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
