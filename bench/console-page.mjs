// Measures the console's page in the system's Chromium, with different kinds of long conversations.
//   node bench/console-page.mjs [--json]
// Each conversation is written as a transcript and resumed on an emulated CLI. Prints how long it took until its end was
// visible, how long the following action took, and the longest task of the page meanwhile: in CPU time, which a busy
// machine changes little, and in wall-clock time.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startConsole } from '../dist/console.js';
import { ConsoleClient } from '../dist/remote.js';
import { emulateCli, onUser, say, wait } from '../dist/testing.js';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const END = 'These are the last words.';

const folder = await mkdtemp(join(tmpdir(), 'coxswain-bench-'));
const configDir = join(folder, 'config');
const server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  configDir,
  session: {
    transport: () =>
      emulateCli([onUser('stream', stream()), onUser(undefined, [say('yes')], { times: 'any' })], {
        partialMessages: true,
      }).transport,
  },
});
const browser = await chromium.launch({
  executablePath: process.env.COXSWAIN_BROWSER ?? '/usr/bin/chromium',
  args: ['--disable-gpu', '--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
const figures = [];
try {
  // What a large one takes, of a small one, hardly depends on the machine.
  await measure('1,000 messages', talk(1_000), toTheStart);
  await measure('20,000 messages', talk(20_000), toTheStart);
  await measureStreams(1);
  await measureStreams(50);
  await measure('1 MB of markdown', [
    said('user', 'Tell me'),
    said('assistant', markdown(2 ** 20)),
    ...last(),
  ]);
  await measure('5 MB result, "Show all"', [...tool(lines(5 * 2 ** 20)), ...last()], showAll);
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
print();

/** Opens a conversation in a separate page; `act` is what the user then does. */
async function measure(name, messages, act = async () => {}) {
  const client = new ConsoleClient({ url: server.url });
  await client.ready;
  const resume = await writeTranscript(messages);
  const { session } = await client.command('open', { cwd: folder, resume, title: name });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(server.url);
  const row = page.getByRole('link', { name }).first();
  await row.waitFor();
  await pause(1_000);
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  const start = performance.now();
  await row.click();
  await page.locator('.conversation').getByText(END).first().waitFor({ timeout: 60_000 });
  const endMs = performance.now() - start;
  await pause(1_000);
  const opening = longestTask(await browser.stopTracing());
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  const acted = performance.now();
  await act(page);
  const actMs = performance.now() - acted;
  await pause(1_000);
  const acting = longestTask(await browser.stopTracing());
  figures.push({ name, endMs, opening, ...(act.length === 0 ? {} : { actMs, acting }) });
  await context.close();
  await client.command('close', {}, { session });
  await client.close();
}

/** Lets many sessions stream at once and shows one of them; waits only for the list. */
async function measureStreams(count) {
  const client = new ConsoleClient({ url: server.url });
  await client.ready;
  const sessions = [];
  for (let index = 0; index < count; index += 1)
    sessions.push((await client.command('open', { cwd: folder, title: `stream ${index}` })).session);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${server.url}`);
  await page.getByRole('link', { name: 'stream 0', exact: false }).first().click();
  await page.getByLabel('Message', { exact: true }).waitFor();
  await pause(1_000);
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  const start = performance.now();
  for (const session of sessions) await client.command('send', { content: 'stream' }, { session });
  await page.locator('.conversation').getByText(END).first().waitFor({ timeout: 120_000 });
  const endMs = performance.now() - start;
  const opening = longestTask(await browser.stopTracing());
  figures.push({ name: count === 1 ? '1 session streams' : `${count} sessions stream`, endMs, opening });
  await context.close();
  for (const session of sessions) await client.command('close', {}, { session });
  await client.close();
}

/** A turn of a few seconds: a hundred pieces of text, each streamed. */
function stream() {
  const piece = 'Some words that a model says while it works, with **markdown** and `code`. ';
  const steps = Array.from({ length: 100 }, (_, index) => [say(`${index}: ${piece.repeat(4)}`), wait(50)]);
  return [...steps.flat(), say(END)];
}

/** The longest task of the page's main thread in a trace of the browser, in milliseconds. */
function longestTask(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const isMain = ({ pid, tid }) => mains.some((main) => main.pid === pid && main.tid === tid);
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && isMain(event),
  );
  const most = (key) => tasks.reduce((longest, event) => Math.max(longest, (event[key] ?? 0) / 1_000), 0);
  return { cpu: most('tdur'), clock: most('dur') };
}

async function toTheStart(page) {
  const frame = page.getByRole('region', { name: 'Conversation', exact: true });
  const first = page.getByText('message 0', { exact: true });
  for (const until = Date.now() + 60_000; Date.now() < until && !(await first.isVisible()); ) {
    await frame.evaluate((element) => {
      element.scrollTop = 0;
    });
    await pause(100);
  }
  await first.waitFor({ timeout: 1_000 }).catch(() => {});
}

async function showAll(page) {
  await page
    .getByRole('button', { name: /Read|Bash/ })
    .first()
    .click();
  const more = page.getByRole('button', { name: /^Show (all|more)/ }).last();
  await more.waitFor();
  while ((await more.count()) > 0) await more.click();
}

async function writeTranscript(messages) {
  const conversation = randomUUID();
  const project = join(configDir, 'projects', folder.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  await mkdir(project, { recursive: true });
  let parentUuid = null;
  const text = messages.map((message, index) => {
    const uuid = randomUUID();
    const timestamp = new Date(1_767_225_600_000 + index * 1_000).toISOString();
    const entry = { parentUuid, isSidechain: false, cwd: folder, sessionId: conversation, uuid, timestamp };
    parentUuid = uuid;
    return JSON.stringify({ ...entry, version: '2.1.326', ...message });
  });
  await writeFile(join(project, `${conversation}.jsonl`), `${text.join('\n')}\n`);
  return conversation;
}

function said(type, content) {
  const blocks =
    typeof content === 'string' && type === 'assistant' ? [{ type: 'text', text: content }] : content;
  const id = type === 'assistant' ? { id: `msg_${randomUUID()}` } : {};
  return { type, message: { ...id, role: type, content: blocks } };
}

function last() {
  return [said('user', 'And then?'), said('assistant', END)];
}

function talk(count) {
  const all = Array.from({ length: count - 2 }, (_, index) =>
    index % 2 === 0
      ? said('user', `message ${index}`)
      : said('assistant', `Answer ${index}, with **some** words.`),
  );
  return [...all, ...last()];
}

function tool(result) {
  const id = 'toolu_1';
  return [
    said('user', 'Run it'),
    said('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command: 'cat long.txt' } }]),
    said('user', [{ type: 'tool_result', tool_use_id: id, content: result }]),
  ];
}

function lines(length) {
  const line = 'A line of a file that is long, with words like any other file has them.\n';
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}

function markdown(length) {
  const part = [
    '## A heading',
    'A paragraph with **bold**, *italic*, `code` and [a link](https://example.com/page), and then more words.',
    '- first\n- second\n  - nested\n- third',
    '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |',
    '```js\nconst answer = 42;\nconsole.log(answer);\n```',
  ].join('\n\n');
  return `${part}\n\n`.repeat(Math.ceil(length / part.length)).slice(0, length);
}

/** The longest task of a large page, of that of a small one. */
function ratios() {
  const of = (name, when) => figures.find((each) => each.name === name)?.[when].cpu ?? Number.NaN;
  return {
    '20,000 messages: longest task, of that with 1,000':
      of('20,000 messages', 'opening') / of('1,000 messages', 'opening'),
    '20,000 messages: longest task afterwards, of that with 1,000':
      of('20,000 messages', 'acting') / of('1,000 messages', 'acting'),
    '50 sessions stream: longest task, of that with one':
      of('50 sessions stream', 'opening') / of('1 session streams', 'opening'),
  };
}

function print() {
  const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Chromium ${browser.version()}`;
  if (values.json) {
    const tasks = figures.flatMap(({ name, opening, acting }) => [
      [`${name}: longest task, ms of CPU time`, opening.cpu],
      ...(acting === undefined ? [] : [[`${name}: longest task afterwards, ms of CPU time`, acting.cpu]]),
    ]);
    console.log(JSON.stringify({ schema: 1, machine, figures, ...Object.fromEntries(tasks), ...ratios() }));
    return;
  }
  console.log(machine);
  const ms = (value) => `${Math.round(value)} ms`;
  const task = ({ cpu, clock }) => `longest task ${ms(cpu)} (${ms(clock)} on the clock)`;
  for (const { name, endMs, opening, actMs, acting } of figures) {
    console.log(`${name}: end in view after ${ms(endMs)}, ${task(opening)}`);
    if (actMs !== undefined) console.log(`${' '.repeat(name.length)}  then ${ms(actMs)}, ${task(acting)}`);
  }
}
