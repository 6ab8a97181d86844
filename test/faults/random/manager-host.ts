// A host with many conversations on emulated CLIs, to be killed at any moment. It records what it was promised, what
// took effect and what was reported, each before the next action.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskedLaunch } from '../../../src/host/cli/options/asked-launch.js';
import { emulateCli } from '../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { act, die, wait } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../../src/lab/testing/emulator/steps/step-types.js';
import { openManager } from '../../../src/server/manager/open-manager.js';
import { isObject } from '../../../src/wire/protocol/frames.js';
import { type Clock, systemClock } from '../../../src/wire/util/clock.js';
import { seededRandom } from './seeded-random.js';

const [folder = '', seed = '1', life = '0', conversations = '500', end = ''] = process.argv.slice(2);
const [CONVERSATIONS, MESSAGES, MAX_RUNNING, OWNERS] = [Number(conversations), 2, 20, 7];
const random = seededRandom(Number(seed) * 1_000 + Number(life));
const log = join(folder, 'log');
const note = (...words: (string | number)[]) => appendFileSync(log, `${words.join(' ')}\n`);
const projects = join(folder, 'home', 'projects', '-work');
mkdirSync(projects, { recursive: true });

/** Time runs fifty times as fast as the real one. */
const quick: Clock = {
  now: () => 50 * systemClock.now(),
  after: (ms, run) => systemClock.after(ms / 50, run),
};

let live = 0;

function startCli(launch: AskedLaunch) {
  const cli = emulateCli([onUser(undefined, (text) => steps(text), { times: 'any' })], { launch });
  live += 1;
  note('running', live);
  void cli.transport.ended.then(() => {
    live -= 1;
  });
  const steps = (text: string): readonly Step[] => {
    const uuid = cli.received.filter(({ type }) => type === 'user').at(-1)?.uuid;
    const chance = random();
    if (chance < 0.08) return [die({ code: 1 })];
    const taken = act(() => writeTranscript(cli.sessionId, String(uuid), text));
    if (chance < 0.14) return [taken, say('half'), die({ signal: 'SIGKILL' })];
    if (chance < 0.18)
      return [apiFailure({ error: 'rate_limit', status: 429, text: 'limit reached|1000000000' })];
    // The work is done before anything is reported: only the transcript shows it then.
    return [taken, act(() => note('effect', text)), wait(random() * 40), say('whole'), done()];
  };
  return cli.transport;
}

/** As a CLI does before it calls the model. */
function writeTranscript(sessionId: string, uuid: string, content: string): void {
  const file = join(projects, `${sessionId}.jsonl`);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const last: unknown = lines.length === 0 ? undefined : JSON.parse(lines.at(-1) ?? '');
  const parentUuid = isObject(last) ? last.uuid : null;
  const entry = { type: 'user', uuid, parentUuid, sessionId, timestamp: new Date().toISOString() };
  appendFileSync(file, `${JSON.stringify({ ...entry, message: { role: 'user', content } })}\n`);
}

const manager = await openManager(
  {
    store: join(folder, 'store'),
    maxRunning: MAX_RUNNING,
    idleMs: 2_000,
    limitSpreadMs: 100,
    defaults: { transport: startCli, env: { CLAUDE_CONFIG_DIR: join(folder, 'home') } },
  },
  { clock: quick, random },
);
manager.on('turn', ({ messageId, outcome }) => note('told', messageId, outcome.kind));
manager.on('state', ({ conversation, state }) => {
  // Three crashes in a row: retry, as a person would.
  if (state === 'failed') setImmediate(() => manager.find(conversation).retry());
});
note('alive', life);

for (let n = 0; n < CONVERSATIONS; n += 1) {
  for (let m = 0; m < MESSAGES; m += 1) {
    const name = `c${n}`;
    const talk = manager.conversation(name, { owner: `owner${n % OWNERS}` });
    if (talk.state === 'failed') talk.retry();
    const text = `${life}.${n}.${m}`;
    note('sent', talk.send(text).userMessageId ?? '', text);
  }
  if (n % 10 === 0) await new Promise(setImmediate);
}
note('all-sent', life);
while (manager.list().some(({ messages }) => messages > 0)) await new Promise((next) => setTimeout(next, 20));
await manager.drain();
note('quiet', life);
// However fast it was, a host that is to be killed waits for that.
if (end === 'killed') setInterval(() => {}, 60_000);
