// Writes test/fixtures/transcripts: runs the same conversations on each real CLI, offline against a scripted model, and
// keeps the structure of what the CLI wrote to disk.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openSession } from '../src/entry/sdk/open-session.ts';
import { recordedVersions } from '../src/lab/conformance/recorded-versions.ts';
import { reply, stall, text, toolUse } from '../src/lab/testing/model/replies.ts';
import { scriptModel } from '../src/lab/testing/model/script-model.ts';
import { ScriptRunner } from '../src/lab/testing/model/script-runner.ts';
import { knownRealClis } from '../src/lab/testing/real-cli/known-clis.ts';
import { scrubbedEnvironment } from '../src/lab/testing/real-cli/scrubbed-environment.ts';
import { makeThrowawayFolders } from '../src/lab/testing/real-cli/throwaway-folders.ts';
import { transcriptTrimmer } from './capture/transcript-trim.mjs';

const TARGET = resolve('test/fixtures/transcripts');

for (const cli of knownRealClis().filter(({ version }) => recordedVersions.includes(version))) {
  const folders = await makeThrowawayFolders();
  try {
    const order = await converse(cli, folders);
    console.log(`${cli.version}: ${await keep(cli.version, folders.home, order)} files`);
  } finally {
    await folders.remove();
  }
}

/** Runs the conversations, and returns the ids of their sessions in order. */
async function converse(cli, folders) {
  let script = new ScriptRunner([]);
  const model = await scriptModel((request) => script.answer(request));
  const play = (steps) => {
    script = new ScriptRunner(steps);
  };
  const open = (more = {}) =>
    openSession({
      cli: cli.path,
      cwd: folders.cwd,
      envMode: 'replace',
      settingSources: [],
      model: 'sonnet',
      onPermission: (request) => request.allow(),
      ...more,
      env: scrubbedEnvironment({ ...folders, modelUrl: model.url, extra: { IS_SANDBOX: '1' } }),
    });
  try {
    const tools = await withTools(open, play, cli.version === '2.1.326' ? 'Agent' : 'Task');
    return [tools, await withCompaction(open, play), await asFork(open, play, tools)];
  } finally {
    await model.close();
  }
}

async function withTools(open, play, agent) {
  const session = await open();
  const calls = ['touch a', 'touch b'].map((command) => toolUse('Bash', { command }));
  play([
    { when: 'touch it', reply: reply([text('Let me see.'), ...calls]) },
    { when: { toolResult: '' }, reply: text('All done.') },
  ]);
  await session.send('touch it').outcome;
  const input = { description: 'look', prompt: 'count the files', subagent_type: 'general-purpose' };
  play([
    { when: 'delegate', reply: toolUse(agent, input) },
    { when: 'count the files', reply: toolUse('Bash', { command: 'ls' }), anyOrder: true },
    { reply: text('noted'), times: 'any' },
  ]);
  await session.send('delegate').outcome;
  // The newest CLI runs the agent in the background, and then starts a turn on its own.
  await session.settled();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  play([
    { when: 'stop me', reply: stall() },
    { reply: text('noted'), times: 'any' },
  ]);
  const turn = session.send('stop me');
  await turn.began;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await session.interrupt();
  await turn.outcome;
  return closed(session);
}

/** Ends the CLI, so that all of its transcript is written. */
async function closed(session) {
  await session.close();
  return session.id;
}

async function withCompaction(open, play) {
  const session = await open();
  play([
    { when: 'hello', reply: text('first') },
    { reply: text('a summary of it all'), times: 'any' },
  ]);
  for (const prompt of ['hello', '/compact', 'after it']) await session.send(prompt).outcome;
  return closed(session);
}

async function asFork(open, play, id) {
  const session = await open({ resume: id, forkSession: true });
  play([{ reply: text('forked answer'), times: 'any' }]);
  await session.send('go on in the fork').outcome;
  return closed(session);
}

async function keep(version, home, order) {
  const projects = join(home, '.claude', 'projects');
  const [project = ''] = await readdir(projects);
  const paths = await readdir(join(projects, project), { recursive: true });
  const { trimLines, trimMeta, rename } = transcriptTrimmer(version);
  // The sessions get the first names, whatever order their files are read in.
  for (const id of order) rename(id);
  const rank = (path) => order.findIndex((id) => path.startsWith(id));
  const wanted = paths.filter((path) => /\.jsonl$|\.meta\.json$/.test(path));
  await rm(join(TARGET, version), { recursive: true, force: true });
  let count = 0;
  for (const path of wanted.sort((one, other) => rank(one) - rank(other))) {
    const whole = await readFile(join(projects, project, path), 'utf8');
    if (whole.trim() === '') continue;
    const file = join(TARGET, version, rename(path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, path.endsWith('.jsonl') ? trimLines(whole) : trimMeta(whole));
    count += 1;
  }
  return count;
}
