// Drives one real CLI for the corpus: sends, answers, waits, and keeps every received frame.
import { mkdtempSync, realpathSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { realCli } from '../../src/lab/testing/index.ts';
import { keywordModel } from './keyword-model.mjs';

const ANSWER_WAIT_MS = 20_000;
const TURN_WAIT_MS = 40_000;

/** Runs `scenario` on one CLI and returns the collected frames. */
export async function runScenario(version, scenario) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'coxswain-capture-')));
  const folders = { base, home: join(base, 'home'), cwd: join(base, 'work') };
  const model = await keywordModel();
  const capture = new Capture(version, folders, model);
  try {
    await Promise.all([mkdir(folders.home), mkdir(folders.cwd)]);
    await capture.start(await scenario.options(capture));
    await scenario.run(capture);
  } finally {
    await capture.close();
    await model.close();
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
  return { captured: capture.captured, reactions: capture.reactions };
}

/** One running CLI, with its output. */
class Capture {
  captured = [];
  reactions = {};
  /** The answers to the CLI's requests; a scenario may replace an entry. */
  answers = {
    can_use_tool: ({ input }) => ({ behavior: 'allow', updatedInput: input }),
    hook_callback: () => ({}),
    elicitation: () => ({ action: 'accept', content: { colour: 'red' } }),
  };
  #cli;
  #asked = new Map();
  #waiters = new Set();
  #count = 0;

  constructor(version, folders, model) {
    this.version = version;
    this.isLatest = version === '2.1.326';
    this.model = model;
    Object.assign(this, folders);
  }

  async start({ env = {}, extraArgs = {}, ...options }) {
    const { version, home, cwd, model } = this;
    const retries = { CLAUDE_CODE_MAX_RETRIES: '2' };
    this.#cli = await realCli({
      version,
      home,
      cwd,
      model,
      env: { ...retries, ...env },
      extraArgs,
      ...options,
    });
    this.#cli.start((lines) => {
      for (const line of lines) this.#receive(JSON.parse(line));
    });
  }

  /** Sends a host request; resolves to the answer's envelope, or undefined if none arrived. */
  async ask(subtype, params = {}, { as = 'success', waitMs = ANSWER_WAIT_MS } = {}) {
    this.#count += 1;
    const id = `host-${this.#count}`;
    this.#asked.set(id, { subtype, as });
    const answered = this.next((frame) => frame.response?.request_id === id, waitMs);
    await this.send({ type: 'control_request', request_id: id, request: { subtype, ...params } });
    const answer = (await answered)?.response;
    noteReaction(this.reactions, subtype, reactionOf(answer));
    return answer;
  }

  /** Sends a message and waits for the result. */
  async turn(content, fields = {}) {
    const result = this.next((frame) => frame.type === 'result', TURN_WAIT_MS);
    await this.say(content, fields);
    return result;
  }

  say(content, fields = {}) {
    return this.send({ type: 'user', message: { role: 'user', content }, ...fields });
  }

  /** The next matching frame, or undefined after `waitMs`. */
  next(fits, waitMs = TURN_WAIT_MS) {
    return new Promise((resolve) => {
      const waiter = { fits, resolve };
      const timer = setTimeout(() => this.#settle(waiter, undefined), waitMs);
      waiter.stop = () => clearTimeout(timer);
      this.#waiters.add(waiter);
    });
  }

  nextSystem(subtype, waitMs) {
    return this.next((frame) => frame.type === 'system' && frame.subtype === subtype, waitMs);
  }

  nextRequest(subtype, waitMs) {
    return this.next((frame) => frame.request?.subtype === subtype, waitMs);
  }

  async write(path, text) {
    const file = join(this.base, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  async send(frame) {
    await this.#cli.send(JSON.stringify(frame)).catch(() => {});
  }

  async close() {
    await this.#cli?.close();
    for (const waiter of this.#waiters) this.#settle(waiter, undefined);
  }

  #settle(waiter, frame) {
    this.#waiters.delete(waiter);
    waiter.stop();
    waiter.resolve(frame);
  }

  #receive(frame) {
    const asked = this.#asked.get(frame.response?.request_id);
    // With --replay-user-messages, CLIs echo the host's own answers: those are not their frames.
    const isEcho = frame.type === 'control_response' && asked === undefined;
    if (!isEcho) this.captured.push({ frame, asked });
    if (frame.type === 'control_request') void this.#answer(frame);
    for (const waiter of this.#waiters) if (waiter.fits(frame)) this.#settle(waiter, frame);
  }

  async #answer({ request_id, request }) {
    const response = await this.answers[request.subtype]?.(request);
    if (response === undefined) return;
    await this.send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  }
}

const STRENGTH = ['silent', 'unsupported', 'refused', 'ack', 'value'];

/** Of all reactions to a request, keeps the one with the most detail. */
export function noteReaction(reactions, subtype, reaction) {
  const before = STRENGTH.indexOf(reactions[subtype]);
  if (STRENGTH.indexOf(reaction) > before) reactions[subtype] = reaction;
}

function reactionOf(answer) {
  if (answer === undefined) return 'silent';
  if (answer.error_code === 'unsupported_request') return 'unsupported';
  if (answer.subtype === 'error') return 'refused';
  return answer.response === undefined ? 'ack' : 'value';
}
