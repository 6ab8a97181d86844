import { afterAll, beforeAll, expect, test } from 'vitest';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import { builtinPatches } from '../../src/host/patches/registry.js';
import {
  type EndpointName,
  endpointNames,
  endpoints,
  type SupportKind,
} from '../../src/host/session/endpoints/endpoint-table.js';
import type { Session } from '../../src/host/session/session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import { describeRealClis } from './support/each-real-cli.js';
import { throwawayCache } from './support/patched-clis.js';
import { type RealPlace, realPlace } from './support/real-session.js';
import { pidServer } from './support/tool-turn.js';

const cache = throwawayCache();

/** What the patches add to 2.0.73. */
const PATCHED: ReadonlySet<string> = new Set(builtinPatches.flatMap(({ serves = [] }) => serves));

type Probe = (session: Session) => Promise<unknown>;

/** One probe for each endpoint; it resolves only if the current CLI has really served it. */
const probes: Readonly<Record<EndpointName, Probe>> = {
  interrupt: (session) => session.interrupt(),
  initialize: async ({ info }) => expect(info.commands).toBeInstanceOf(Array),
  set_permission_mode: async (session) =>
    expect(await session.setPermissionMode('plan')).toEqual({ mode: 'plan' }),
  set_model: (session) => session.setModel('opus'),
  set_max_thinking_tokens: (session) => session.setMaxThinkingTokens(2_000),
  mcp_status: async (session) => expect((await session.mcp.status()).mcpServers).toBeInstanceOf(Array),
  mcp_message: async (session) => {
    const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;
    expect(await session.control('mcp_message', { server_name: 'nobody', message })).toEqual({});
  },
  mcp_set_servers: async (session) =>
    expect(await session.mcp.set({ pid: pidServer })).toMatchObject({ errors: {} }),
  rewind_files: async (session) =>
    expect(session.rewind('no-such-message')).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringMatching(/No file checkpoint found/),
    }),
  agent_run_to_background: async (session) =>
    expect(await session.background('nobody', { waitMs: 1 })).toEqual({ backgrounded: false }),
  get_chrome_status: async (session) => expect((await session.chrome.status()).connected).toBe(false),
  mcp_reconnect: async (session) => expect((await session.mcp.reconnect('pid')).status).toBe('connected'),
  mcp_tools: async (session) => expect((await session.mcp.tools('pid')).count).toBe(1),
  mcp_disable: async (session) => expect((await session.mcp.disable('pid')).status).toBe('disabled'),
  mcp_enable: async (session) => expect((await session.mcp.enable('pid')).status).toBe('connected'),
};

/** Tries every cell of one column on one session. */
function probeColumn(
  cli: KnownRealCli,
  own: () => SessionOptions,
  expected: (name: EndpointName) => SupportKind,
): void {
  let place: RealPlace;
  let session: Session;
  beforeAll(async () => {
    place = await realPlace(cli);
    session = await place.open({ enableFileCheckpointing: true, ...own() });
    await session.mcp.set({ pid: pidServer });
  });
  afterAll(async () => {
    await session.close();
    await place[Symbol.asyncDispose]();
  });

  test.each(endpointNames)('%s', async (name) => {
    const how = expected(name);
    expect((await session.supports(name)).how).toBe(how);
    const probed = probes[name](session);
    if (how === 'no') await expect(probed).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
    else await expect(probed).resolves.not.toThrow();
  });
}

describeRealClis('endpoints of the plain CLI', (cli) => {
  probeColumn(
    cli,
    () => ({}),
    (name) => endpoints[name](capabilitiesOf(cli)).how,
  );
});

describeRealClis(
  'endpoints of the patched CLI',
  (cli) => {
    probeColumn(
      cli,
      () => ({ patched: { cacheFolder: cache.folder } }),
      (name) => (PATCHED.has(name) ? 'patched' : endpoints[name](capabilitiesOf(cli)).how),
    );
  },
  ['2.0.73'],
);
