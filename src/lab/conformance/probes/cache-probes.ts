import type { WireObject } from '../../../wire/protocol/frames.js';
import { BILLING, firstDifference } from '../../testing/model/prompt.js';
import { type Reply, reply, text, thinking, toolUse } from '../../testing/model/replies.js';
import type { ModelRequest } from '../../testing/model/request.js';
import { type ProbeGroup, probe, probeOne } from '../probe.js';
import { processServer, slowServer } from '../process-server.js';
import { part } from '../reading.js';
import type { RequirementId } from '../requirements/requirements.js';
import type { Stage } from '../stage.js';
import type { Start } from '../subject.js';
import { serverConfig } from '../tool-server.js';
import { type Finding, judge, notReachable } from '../verdict.js';

const uuid = (last: number) => `77777777-7777-4777-8777-77777777777${last}`;

const echo = (word: string) => toolUse('Bash', { command: `echo ${word}`, description: 'Prints a word' });
const oneCall = [
  [thinking('hm'), text('I look.'), echo('one')],
  [thinking('well'), text('A word.')],
] as const;
/** The connection breaks when the CLI has read a part. */
const TORN = reply(text('half a reply'), { delivery: { end: 'cut', delayMs: 50 } });
/** Each result has 24,000 characters: together they are more than 80,000 tokens. */
const LONG_RESULTS = 15;
const long = toolUse('Bash', { command: 'seq 1 5000', description: 'Prints numbers' });
const longResults = [...Array.from({ length: LONG_RESULTS }, () => long), text('Numbers.')];
const twoCalls = [[text('I look twice.'), echo('one'), echo('two')], text('Two words.')] as const;

/** A conversation that is resumed as it was left. */
export const resumedCost: ProbeGroup = {
  name: 'cost of a resumed conversation',
  shared: true,
  start: { flags: { sessionId: uuid(0) } },
  probes: [
    probe(
      [
        'cache:resumed',
        'cache:billing-line',
        'cost:carried-over',
        'cost:since-last-result',
        'cost:first-request',
        'cost:compaction',
        'cost:torn-reply',
      ],
      async (stage) => {
        const { result: first } = await stage.turn([text('plain')], { uuid: uuid(1) });
        const { result } = await stage.turn(oneCall, { uuid: uuid(2) });
        const before = lastCall(stage);
        const { next, result: resumed } = await resumeIn(stage, uuid(0), {});
        const after = lastCall(next);
        const { result: torn } = await next.turn([TORN, text('whole')], {
          uuid: uuid(4),
        });
        const { result: whole } = await next.turn([text('whole')], { uuid: uuid(6) });
        const compacted = await compact(next);
        return {
          'cache:resumed': same(before, after),
          'cache:billing-line': sameLine(before, after),
          'cost:carried-over': judge(cost(resumed) > cost(result), 'it counts from zero'),
          'cost:since-last-result': judge(
            costIn(part(result, 'model_usage_since_last_result')) > 0,
            'there is none',
          ),
          'cost:first-request': judge(
            typeof first.first_request_cache_read_input_tokens === 'number',
            'it does not',
          ),
          'cost:torn-reply': judge(
            cost(torn) - cost(resumed) > 1.01 * (cost(whole) - cost(torn)),
            'only the reply that was whole is counted',
          ),
          'cost:compaction': judge(cost(compacted) > cost(whole), 'it costs nothing'),
        };
      },
    ),
  ],
};

const repository = {
  'work/.git/HEAD': 'ref: refs/heads/main\n',
  'work/.git/objects/info/packs': '\n',
  'work/.git/refs/heads/.keep': '',
};

/** Conversations that are resumed when something around them has changed. */
export const changedSurroundings: readonly ProbeGroup[] = [
  resumedAfter('cache:parallel-calls', { start: {}, says: twoCalls }),
  resumedAfter('cache:large', { start: {}, says: longResults }),
  resumedAfter('cache:options', {
    start: { flags: { mcpServers: serverConfig } },
    initialize: {
      appendSystemPrompt: 'Be brief.',
      agents: { one: { description: 'One.', prompt: 'one' }, two: { description: 'Two.', prompt: 'two' } },
    },
  }),
  resumedAfter('cache:next-day', {
    start: { env: { TZ: 'Etc/GMT+12' } },
    // At least a day later, at any time.
    later: { env: { TZ: 'Etc/GMT-14' } },
  }),
  resumedAfter('cache:git-status', {
    start: { files: repository },
    later: { files: { 'work/new.txt': 'new' } },
  }),
  resumedAfter('cache:server-order', {
    start: { flags: { mcpServers: { one: slowServer, two: processServer } } },
    later: { flags: { mcpServers: { one: processServer, two: slowServer } } },
  }),
];

interface Situation {
  readonly start: Start;
  /** What the model says before. */
  readonly says?: readonly Reply[];
  readonly initialize?: WireObject;
  /** What has changed when it is resumed. */
  readonly later?: Start;
}

function resumedAfter(
  id: RequirementId,
  { start, says = [text('plain')], initialize = {}, later = {} }: Situation,
): ProbeGroup {
  const first = { ...start, flags: { ...start.flags, sessionId: uuid(5) } };
  return {
    name: id,
    shared: true,
    start: first,
    initialize,
    probes: [
      probeOne(id, async (stage) => {
        await connected(stage);
        await stage.turn(says);
        const before = lastCall(stage);
        const { next } = await resumeIn(stage, uuid(5), { ...start, ...later, initialize });
        return same(before, lastCall(next));
      }),
    ],
  };
}

/** Resumes the conversation of a stage in its place, and runs a turn. */
async function resumeIn(
  stage: Stage,
  resume: string,
  { initialize = {}, ...start }: Start & { readonly initialize?: WireObject },
) {
  stage.cli.endInput();
  await stage.exit();
  const next = await stage.open({ ...start, flags: { ...start.flags, resume } });
  await next.request('initialize', initialize, stage.subject.patience.startMs);
  await connected(next);
  const { result } = await next.turn([text('plain')], { uuid: uuid(3) });
  return { next, result };
}

/** Waits until all servers are connected: some versions start turns before. */
async function connected(stage: Stage): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await stage.request('mcp_status');
    if (answer.kind !== 'success' || !JSON.stringify(answer.value).includes('"pending"')) return;
    await stage.quiet(500);
  }
}

/** Not all versions compact such a short conversation. */
async function compact(stage: Stage): Promise<WireObject> {
  const from = stage.now;
  stage.cli.model.say([text('a summary')]);
  await stage.user('/compact');
  const { result } = await stage.result(from);
  return result;
}

function same(before: ModelRequest, after: ModelRequest): Finding {
  const different = firstDifference(before.prompt, after.prompt);
  return judge(different === undefined, `another ${different?.name}`);
}

function sameLine(before: ModelRequest, after: ModelRequest): Finding {
  const line = ({ prompt }: ModelRequest) => prompt.find(({ name }) => name === BILLING)?.digest;
  if (line(before) === undefined) return notReachable('there is none');
  return judge(line(before) === line(after), 'it is another one');
}

function lastCall({ cli }: Stage): ModelRequest {
  const call = cli.model.calls.at(-1);
  if (call === undefined) throw new Error('the model was not called');
  return call;
}

function cost({ total_cost_usd: cost }: WireObject): number {
  return typeof cost === 'number' ? cost : 0;
}

function costIn(models: WireObject): number {
  return Object.keys(models).reduce((sum, model) => sum + Number(part(models, model).costUSD), 0);
}
