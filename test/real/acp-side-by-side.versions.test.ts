import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import type { AgentClient } from '../acp-checks/agent-client.js';
import { foldCalls } from '../acp-checks/fold-calls.js';
import { acpPlace, type CommandFor, coxswainAcp } from '../support/acp-places.js';
import { nodeFor22, obstacleOf } from '../support/programs-of-others.js';
import { describeRealClis } from './support/each-real-cli.js';

const claudeAgentAcp: CommandFor = (cli) => ({
  file: nodeFor22() ?? '',
  args: [resolve('test/acp/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js')],
  env: { CLAUDE_CODE_EXECUTABLE: cli },
});

const LINES = ['say hello', 'make a file', 'write it', 'plan it', 'ask me'];

/** Options for features of newer CLIs that have no request on the wire: settings switch them. */
const THEIRS_ALONE: ReadonlySet<string> = new Set(['fast', 'ultracode']);

/**
 * What a client sees of a conversation. Left out, because ours differs for a reason:
 * - a call is sent once, with its whole input; the adapter sends it without input first and adds to it;
 * - usage is sent once per turn, not for each piece;
 * - a plan has the names of its entries; the adapter shows the current activity for the one in progress, and a plan
 *   that the CLI has refused;
 * - the wording of options, modes and form titles; and the content of a command without output;
 * - the contents of `_meta`.
 */
async function seen(cli: string, commandFor: CommandFor) {
  await using place = await acpPlace(cli, commandFor);
  const client = place.connect({
    permission: ({ options }) => {
      const optionId = options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '';
      return { outcome: { outcome: 'selected', optionId } };
    },
    elicitation: () => ({ action: 'accept', content: { question_0: 'Blue' } }),
  });
  try {
    const { agentCapabilities } = await client.initialize({ elicitation: { form: {} } });
    const { sessionId, modes, configOptions } = await client.agent.request('session/new', {
      cwd: place.cwd,
      mcpServers: [],
    });
    const stops: string[] = [];
    for (const line of LINES) stops.push(await client.prompt(sessionId, line));
    const { prompts, ...told } = toldBy(client);
    const { loadSession, promptCapabilities, mcpCapabilities } = agentCapabilities ?? {};
    const plain = { loadSession, mcpCapabilities, image: promptCapabilities?.image };
    const kinds = Object.keys(agentCapabilities?.sessionCapabilities ?? {});
    const options = configOptions
      ?.map(({ id, category, type }) => ({ id, category, type }))
      .filter(({ id }) => !THEIRS_ALONE.has(id));
    const shown = isPlanRefused(place.requests) ? { ...told, plans: [] } : told;
    const text = JSON.stringify({ stops, told: shown, plain, options }).replaceAll(place.cwd, 'CWD');
    return {
      same: JSON.parse(text),
      prompts,
      kinds,
      mode: modes?.currentModeId,
      modes: modes?.availableModes.map(({ id }) => id),
    };
  } finally {
    client.child.kill();
    await client.exited;
  }
}

/** Newer CLIs have other tools for to-do lists. */
function isPlanRefused(requests: readonly ModelRequest[]): boolean {
  return requests.some(({ toolResults }) =>
    toolResults.some(({ text }) => text.includes('No such tool available: TodoWrite')),
  );
}

function toldBy(client: AgentClient) {
  const contents = client.of('plan').map(({ entries }) => entries.map(({ status }) => status));
  const calls = foldCalls(client.updates).map(({ toolCallId: _id, content, _meta, ...call }) => ({
    ...call,
    locations: call.locations ?? [],
    diffs: (content ?? []).filter(({ type }) => type === 'diff'),
  }));
  const forms = client.forms.map((form) => {
    const { requestedSchema } = form as { requestedSchema?: { properties?: object } };
    return Object.keys(requestedSchema?.properties ?? {})[0];
  });
  const prompts = client.permissions.map(({ options }) => options.map(({ kind }) => kind));
  const asked = client.permissions.map(({ toolCall: { title, kind, name, rawInput, locations } }) => ({
    title,
    kind,
    name,
    rawInput,
    locations,
  }));
  return { text: client.text, plans: contents, calls, forms, asked, prompts };
}

describeRealClis(
  'coxswain acp compared with claude-agent-acp',
  (cli) => {
    test('a client sees the same, and more options', async ({ skip }) => {
      const obstacle = obstacleOf('@agentclientprotocol/claude-agent-acp');
      if (obstacle !== undefined) skip(obstacle);
      const theirs = await seen(cli.path, claudeAgentAcp);
      const ours = await seen(cli.path, coxswainAcp());
      expect(ours.same).toEqual(theirs.same);
      expect(ours.mode).toBe(theirs.mode);
      // Theirs are among ours, except for the mode that never asks, which must be allowed, and those that this CLI
      // does not know: the adapter offers `auto` anyway.
      const { modes } = capabilitiesOf({ version: cli.version });
      const offered = theirs.modes?.filter((mode) => mode !== 'bypassPermissions' && modes.includes(mode));
      expect(ours.modes).toEqual(expect.arrayContaining(offered ?? []));
      // What is not in version 1 of the protocol is not offered.
      const standard = theirs.kinds.filter((kind) => !['fork', 'systemPrompt'].includes(kind));
      expect(ours.kinds.toSorted()).toEqual(standard.toSorted());
      for (const [at, kinds] of theirs.prompts.entries())
        expect(ours.prompts[at]).toEqual(expect.arrayContaining([...kinds, 'reject_always']));
    });
  },
  ['2.1.17', '2.1.326'],
);
