// docs/reference/endpoints.md: how each CLI serves the endpoints that have the same method on all versions.
import { compareVersions } from '../../src/wire/util/versions.ts';
import { FIRST_NATIVE } from './ledger/cli-cache.mjs';
import { NOTICE, page, table } from './markdown.mjs';

/** The shown versions: between two of them more than one endpoint changes. */
const SHOWN = ['2.0.30', '2.0.73', '2.1.17', '2.1.58', '2.1.200', '2.1.326'];
const PATCHED = '2.0.73';

/** Builds the page from the resolver's facts and the patches. */
export function endpointsPage({ endpointNames, endpoints }, patches, capabilitiesOf) {
  const patchOf = new Map(patches.flatMap(({ id, serves = [] }) => serves.map((name) => [name, id])));
  const on = (name, version) => {
    const isScript = compareVersions(version, FIRST_NATIVE) < 0;
    return endpoints[name](capabilitiesOf({ version, isScript }));
  };
  const columns = SHOWN.flatMap((version) => [
    [version, (name) => cell(on(name, version))],
    ...(version === PATCHED
      ? [[`${version} patched`, (name) => patchedCell(name, patchOf, on(name, version))]]
      : []),
  ]);
  const rows = endpointNames.map((name) => [
    `\`${name}\``,
    METHODS[name],
    ...columns.map(([, make]) => make(name)),
  ]);
  return page(
    '# Endpoints',
    NOTICE,
    INTRODUCTION,
    table(['endpoint', 'method', ...columns.map(([head]) => head)], rows),
    '## Caveats',
    ...endpointNames.flatMap((name) => notes(name, (version) => on(name, version))),
    SOURCES,
  );
}

const METHODS = {
  interrupt: '`session.interrupt()`',
  initialize: '`openSession()`',
  set_permission_mode: '`session.setPermissionMode()`',
  set_model: '`session.setModel()`',
  set_max_thinking_tokens: '`session.setMaxThinkingTokens()`',
  mcp_status: '`session.mcp.status()`',
  mcp_message: 'in-process servers',
  mcp_set_servers: '`session.mcp.set()`',
  rewind_files: '`session.rewind()`',
  agent_run_to_background: '`session.background()`',
  get_chrome_status: '`session.chrome.status()`',
  mcp_reconnect: '`session.mcp.reconnect()`',
  mcp_tools: '`session.mcp.tools()`',
  mcp_disable: '`session.mcp.disable()`',
  mcp_enable: '`session.mcp.enable()`',
};

const INTRODUCTION = `Each method uses the best way that the CLI offers: the **native** request, an **equivalent** one, or a **patch** of the
CLI. Where the table says **no**, the call fails immediately with \`ENDPOINT_UNSUPPORTED\` and says what would help.
\`session.supports(name, { server })\` tells you in advance. The versions shown are examples; sessions use the facts of each version
([every version](versions.md)). Probes test the cells of the CLIs that the tests run
(\`test/real/endpoints-table.real.test.ts\`), and the table is verified against the [conformance suite](conformance.md)
(\`test/conformance/endpoints.test.ts\`): each cell names the best way that works.

Old CLIs can reconnect, enable and disable a server in another process only if it was set over the wire. For these CLIs, servers in
\`mcpServers\` that have a command are set right after the handshake, unless they would lose their resources and can at least be
reconnected. \`serversAtLaunch: true\` keeps them on the command line; \`false\` sets them over the wire if they can be enabled and disabled only that way.

Answers have one shape. \`reconnect\`, \`enable\` and \`disable\` resolve to \`{ success, serverName, status, toolsCount, error, how,
remembered }\`:

- \`status\` is the state that the CLI lists after the change (\`connected\`, \`pending\`, \`failed\`, \`needs-auth\` or \`disabled\`), or null if the
  CLI does not list the server.
- \`success\` is true only if the server reached the requested state.
- \`remembered\` is true if the CLI writes the change to the user settings of the folder, so **it outlives the session** (\`supports()\` tells
  you in advance: \`outlives\`).

Nothing is cached: each call asks the CLI, and changes to one server run one at a time. A disabled server stays in
\`session.mcp.status()\` as \`disabled\`, even if the CLI itself has forgotten it. In-process servers have no connection to restore, so
reconnecting one always fails.`;

const SOURCES = `Source: \`src/host/session/endpoints/endpoint-table.ts\` and \`src/host/patches/builtin/\`. How to patch: [Give an old CLI more
endpoints](../how-to/patch-an-old-cli.md).`;

function cell({ how, by }) {
  return how === 'no' ? 'no' : `${how}${how === 'equivalent' ? `: \`${by}\`` : ''}`;
}

function patchedCell(name, patchOf, plain) {
  return patchOf.has(name) ? `patch \`${patchOf.get(name)}\`` : cell(plain);
}

function notes(name, on) {
  const lines = SHOWN.flatMap((version) => {
    const { note, help } = on(version);
    const text = note ?? help;
    return text === undefined ? [] : [`- ${version}: ${text}`];
  });
  return lines.length === 0 ? [] : [`**\`${name}\`**\n\n${lines.join('\n')}`];
}
