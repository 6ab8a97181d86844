import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

const names = ['firefox-esr', 'firefox'];

/** The system's Firefox, or why tests with it cannot run here. */
export const systemFirefox = names
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find(isExecutable);
export const noFirefox =
  systemFirefox === undefined
    ? `no Firefox found (searched for ${names.join(', ')}; Debian: firefox-esr)`
    : '';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Requests to its vendor's hosts go to a proxy that does not exist; this machine needs no proxy.
const QUIET = [
  ['network.proxy.type', 1],
  ['network.proxy.http', '127.0.0.1'],
  ['network.proxy.http_port', 9],
  ['network.proxy.ssl', '127.0.0.1'],
  ['network.proxy.ssl_port', 9],
]
  .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
  .join('');

/** A tab of a separate Firefox, driven over WebDriver BiDi: the tools for Chromium need a newer Firefox than Debian has. */
export class FirefoxTab {
  readonly complaints: string[] = [];
  readonly #socket: WebSocket;
  readonly #open = new Map<number, { resolve: (value: Answer) => void; reject: (error: Error) => void }>();
  #context = '';
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    socket.on('close', () => {
      for (const { reject } of this.#open.values()) reject(new Error('Firefox is gone.'));
    });
  }

  /** Starts Firefox; it ends with the test. */
  static async open(): Promise<FirefoxTab> {
    if (systemFirefox === undefined) throw new Error(noFirefox);
    const profile = await mkdtemp(join(tmpdir(), 'coxswain-firefox-'));
    await writeFile(join(profile, 'user.js'), QUIET);
    const flags = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const browser = spawn(systemFirefox, flags, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile },
    });
    onTestFinished(() => end(browser, profile));
    const socket = new WebSocket(`${await addressOf(browser)}/session`);
    await new Promise((resolve, reject) => socket.once('open', resolve).on('error', reject));
    const tab = new FirefoxTab(socket);
    await tab.#ask('session.new', { capabilities: {} });
    const { contexts } = await tab.#ask('browsingContext.getTree', {});
    tab.#context = (contexts as { context: string }[])[0]?.context ?? '';
    await tab.#ask('session.subscribe', { events: ['log.entryAdded'] });
    return tab;
  }

  async goto(url: string): Promise<void> {
    await this.#ask('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  async resize(width: number, height: number): Promise<void> {
    const viewport = { width, height };
    await this.#ask('browsingContext.setViewport', { context: this.#context, viewport });
  }

  /** The value of an expression in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.#context };
    const answer = await this.#ask('script.evaluate', { expression, target, awaitPromise: true });
    if (answer.type === 'exception') throw new Error(JSON.stringify(answer.exceptionDetails).slice(0, 500));
    return (answer.result as { value?: unknown }).value;
  }

  #ask(method: string, params: object): Promise<Answer> {
    this.#last += 1;
    const id = this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
  }

  #take(message: Record<string, unknown>): void {
    if (message.type === 'event') {
      const { level, text } = message.params as { level?: string; text?: string };
      if (level === 'error' || level === 'warn') this.complaints.push(String(text));
      return;
    }
    const waiting = this.#open.get(Number(message.id));
    this.#open.delete(Number(message.id));
    if (message.type === 'success') waiting?.resolve(message.result as Answer);
    else waiting?.reject(new Error(`${message.error}: ${message.message}`));
  }
}

type Answer = Readonly<Record<string, unknown>>;

/** Where Firefox listens, which it prints at startup. */
async function addressOf(browser: ChildProcess): Promise<string> {
  if (browser.stderr === null) throw new Error('Firefox has no output.');
  const lines = createInterface({ input: browser.stderr });
  let address: string | undefined;
  for await (const line of lines) {
    [address] = /ws:\/\/\S+/.exec(line) ?? [];
    if (address !== undefined) break;
  }
  if (address === undefined) throw new Error('Firefox ended before it listened.');
  // Later output is read too, so that it never blocks.
  browser.stderr.resume();
  return address;
}

async function end(browser: ChildProcess, profile: string): Promise<void> {
  const gone = new Promise((resolve) => browser.once('exit', resolve));
  if (browser.exitCode === null && browser.signalCode === null) {
    browser.kill('SIGKILL');
    await gone;
  }
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}
