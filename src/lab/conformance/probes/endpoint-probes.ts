import { join } from 'node:path';
import { type HostRequestName, hostRequests } from '../../../wire/protocol/catalog/catalog.js';
import { checkFrame, formatIssue } from '../../../wire/protocol/catalog/check.schemas.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { PROCESS_SERVER, processServer } from '../process-server.js';
import { describe, type Reaction, served, unserved } from '../reaction.js';
import { list, part } from '../reading.js';
import { type EndpointId, endpointNames } from '../requirements/endpoint-requirements.js';
import type { Stage } from '../stage.js';
import type { Start } from '../subject.js';
import { type Finding, fail, notReachable, pass } from '../verdict.js';
import { endpointFields, FIRST_MESSAGE } from './endpoint-fields.js';

/**
 * Requests that are probed elsewhere: at the handshake, with background work, or in a CLI that waits to be
 * claimed.
 */
const ELSEWHERE: readonly HostRequestName[] = ['initialize', 'claim_session', 'get_task_output'];

/** Requests that make the CLI unusable for others. */
const LAST: readonly HostRequestName[] = ['set_cwd', 'end_session'];

const unreachable = endpointNames.filter((name) => hostRequests[name].reach === 'account');
const first = endpointNames.filter((name) => ![...ELSEWHERE, ...LAST, ...unreachable].includes(name));

/** An empty repository and two files. */
const start: Start = {
  flags: { settingSources: ['user'], enableFileCheckpointing: true },
  files: {
    'home/.claude.json': JSON.stringify({ mcpServers: { [PROCESS_SERVER]: processServer } }),
    'work/a.txt': 'one\n',
    'work/sub/b.txt': 'two\n',
    'work/.git/HEAD': 'ref: refs/heads/main\n',
    'work/.git/objects/info/none': '',
    'work/.git/refs/heads/.none': '',
  },
};

/** Every catalog request that needs no account, most of them sent together so that silence is awaited only once. */
export const endpoints: ProbeGroup = {
  name: 'endpoints',
  start,
  probes: [together(first, prepare), together(LAST), declared(unreachable)],
};

/** A CLI that was started in advance and waits to be claimed. */
export const claimed: ProbeGroup = {
  name: 'claim a waiting CLI',
  start: { flags: { extraArgs: { 'await-claim': null } } },
  initialize: false,
  probes: [
    probeOne('endpoint:claim_session', async (stage) => {
      const fields = { cwd: stage.cli.cwd, sdk_mcp_servers: [], include_initialize: true };
      const reaction = await stage.request('claim_session', fields, stage.subject.patience.startMs);
      if (reaction.kind !== 'ended') return answerFinding(stage, 'claim_session', reaction);
      // A CLI that does not know the flag may still know the request.
      const plain = await stage.open({});
      await plain.request('mcp_status', {}, stage.subject.patience.startMs);
      return unserved(await plain.request('claim_session', fields, stage.subject.patience.quietMs));
    }),
  ],
};

function together(
  names: readonly HostRequestName[],
  before: (stage: Stage) => Promise<void> = async () => {},
): Probe {
  const cites = names.map((name): EndpointId => `endpoint:${name}`);
  return probe(cites, async (stage) => {
    await before(stage);
    const sent = new Map<string, HostRequestName>();
    for (const name of names) sent.set(await stage.sendRequest(name, fieldsOf(name, stage)), name);
    await settled(stage, [...sent.keys()]);
    const findings: Partial<Record<EndpointId, Finding>> = {};
    for (const [id, name] of sent) {
      findings[`endpoint:${name}`] = answerFinding(stage, name, await stage.reactionTo(id, 0));
    }
    return findings as Record<EndpointId, Finding>;
  });
}

function declared(names: readonly HostRequestName[]): Probe {
  const cites = names.map((name): EndpointId => `endpoint:${name}`);
  const finding = notReachable('it needs an account, a browser or a remote service');
  return {
    cites,
    run: async () => Object.fromEntries(cites.map((id) => [id, finding])),
  };
}

/** A turn, so there is something to rewind to, and a connected server. */
async function prepare(stage: Stage): Promise<void> {
  // A CLI that cannot run a turn may still serve requests.
  await stage.turn([], { uuid: FIRST_MESSAGE }).catch(() => {});
  for (let tries = 0; tries < 100; tries += 1) {
    const reaction = await stage.request('mcp_status');
    if (reaction.kind !== 'success') return;
    const servers = list(reaction.value, 'mcpServers');
    if (servers.some((server) => part(server).status === 'connected')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function fieldsOf(name: HostRequestName, { cli }: Stage): WireObject {
  if (name === 'set_cwd') {
    const path = join(cli.cwd, 'sub');
    return { path, trust_accepted: true, trusted_directory: path };
  }
  if (name === 'register_repo_root') return { directory: join(cli.cwd, 'sub') };
  return endpointFields[name] ?? {};
}

/** Waits until all are answered, or until nothing has arrived for twice the silence period. */
async function settled(stage: Stage, ids: readonly string[]): Promise<void> {
  for (;;) {
    const open = ids.filter((id) => stage.answersTo(id).length === 0);
    if (open.length === 0 || stage.ended !== undefined) return;
    const from = stage.now;
    const more = await stage.maybe(() => true, { from, ms: 2 * stage.subject.patience.quietMs });
    if (more === undefined) return;
  }
}

/** Passes for a success that matches the catalog; unknown keys are allowed. */
function answerFinding(stage: Stage, name: HostRequestName, reaction: Reaction): Finding {
  if (reaction.kind !== 'success') return served(reaction);
  stage.record(`answer ${name}`, reaction.value ?? 'ack');
  const frame = { type: 'control_response', response: reaction.envelope };
  const issues = checkFrame(frame, { from: 'cli', answerTo: name });
  const wrong = issues.filter(({ problem }) => problem !== 'unknown');
  return wrong.length === 0 ? pass : fail(`${describe(reaction)}, but ${wrong.map(formatIssue).join(', ')}`);
}
