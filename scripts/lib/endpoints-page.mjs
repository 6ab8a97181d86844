// docs/reference/endpoints.md: how each CLI serves the endpoints that keep one method over all versions.
import { NOTICE, page, table } from './markdown.mjs';

/** Makes the page from the table that the resolver reads, and from what the patches add. */
export function endpointsPage({ endpointNames, endpointTable }, patches, versions) {
  const patchOf = new Map(patches.flatMap(({ id, serves = [] }) => serves.map((name) => [name, id])));
  const [oldest, ...others] = versions;
  const columns = [
    [`${oldest} plain`, (name) => cell(endpointTable[name][oldest])],
    [`${oldest} patched`, (name) => patchedCell(name, patchOf, endpointTable[name][oldest])],
    ...others.map((version) => [version, (name) => cell(endpointTable[name][version])]),
  ];
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
    '## What to mind',
    ...endpointNames.flatMap((name) => notes(name, endpointTable[name], versions)),
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

const INTRODUCTION = `One method works on every CLI, whichever way the CLI at hand can do it: **native**, by an **equivalent**,
by a **patch** of the CLI, or **no**, which is refused at once with \`ENDPOINT_UNSUPPORTED\` and what would help.
\`session.supports(name, { server })\` says it beforehand. A CLI between two of these versions is treated as the one
below it. Every cell has a probe that runs on the real CLI (\`test/real/endpoints-table.real.test.ts\`), and is held against the
verdicts of the [conformance suite](conformance.md) (\`test/conformance/endpoints.test.ts\`): it names the best way that works.

CLIs before 2.1.325 reconnect and switch a server of another process only if it was set over the wire. So there the servers of
\`mcpServers\` that have a command are set right after the handshake, unless \`serversAtLaunch\` keeps them on the command line
([why](../decisions/0011-servers-of-old-clis.md)).

Answers have one shape. \`reconnect\`, \`enable\` and \`disable\` resolve to \`{ success, serverName, status, toolsCount, error, how,
derived, remembered }\`: \`status\` is \`connected\`, \`pending\`, \`failed\`, \`needs-auth\` or \`disabled\`, null where the CLI does not
tell; \`derived\` is true where it follows from what was asked because the CLI's own list does not show it; \`remembered\` is true where the CLI
writes the change to the user settings of the folder, so that **it outlives the session**. Nothing is cached: each call asks the CLI
afresh. In-process servers have no connection to make anew, so reconnecting one is refused everywhere.`;

const SOURCES = `Source: \`src/host/session/endpoints/endpoint-table.ts\` and \`src/host/patches/builtin/\`. How to patch: [Give an old CLI more
endpoints](../how-to/patch-an-old-cli.md).`;

function cell({ how, by }) {
  return how === 'no' ? 'no' : `${how}${how === 'equivalent' ? `: \`${by}\`` : ''}`;
}

function patchedCell(name, patchOf, plain) {
  return patchOf.has(name) ? `patch \`${patchOf.get(name)}\`` : cell(plain);
}

function notes(name, served, versions) {
  const lines = versions.flatMap((version) => {
    const { note, help } = served[version];
    const text = note ?? help;
    return text === undefined ? [] : [`- ${version}: ${text}`];
  });
  return lines.length === 0 ? [] : [`**\`${name}\`**\n\n${lines.join('\n')}`];
}
