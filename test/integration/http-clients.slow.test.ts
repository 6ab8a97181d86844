import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEmulatedConsole } from '../support/console.js';
import { startCoxProcess } from '../support/cox-process.js';
import { lacking } from '../support/lacking.js';
import { spokenConversation } from '../support/spoken-conversation.js';

// Third-party clients, from npm and from the system, run whole conversations over HTTP.
// Programs are started and compiled here, which is slow while everything else runs.
vi.setConfig({ testTimeout: 180_000 });

const run = promisify(execFile);
const CLIENTS = resolve('test/clients');
const page = readFileSync('docs/how-to/any-language.md', 'utf8');

/** The code of the page, as a reader would copy it. */
function codeIn(language: string): string {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
    .map(([, code]) => code)
    .join('\n');
}

async function served() {
  const { server, root } = await startEmulatedConsole(spokenConversation);
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: root, COXSWAIN_URL: server.origin, COXSWAIN_TOKEN: server.token, PROJECT: root };
  return { server, env };
}

function skipUnlessInstalled(skip: (reason: string) => void): void {
  if (existsSync(join(CLIENTS, 'node_modules/openapi-fetch'))) return;
  skip(
    'the third-party clients are not installed in test/clients (see the npm error above, or run npm test)',
  );
}

const noShell = lacking('bash', 'curl');
const noPython = lacking('python3');

describe('the how-to for any language', () => {
  test('starts a demo that accepts the folder it names', async ({ skip }) => {
    skip(noShell !== '', noShell);
    const [, project = '', args = ''] = /PROJECT=(\S+)\nnpx coxswain (console --demo.*) &$/m.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'coxswain-demo-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const asWritten = (text: string) => text.replaceAll('"', '').replaceAll('$PWD', folder);
    const token = randomUUID();
    const given = [...asWritten(args).split(' '), '--port', '0', '--no-open'];
    const cox = startCoxProcess(given, { env: { COXSWAIN_TOKEN: token } });
    onTestFinished(() => cox.kill('SIGKILL'));
    await cox.until('Ctrl-C', 'err');
    const { PATH = '' } = process.env;
    const COXSWAIN_URL = new URL(cox.out.trim()).origin;
    const env = { PATH, HOME: folder, COXSWAIN_URL, COXSWAIN_TOKEN: token, PROJECT: asWritten(project) };
    const { stdout } = await run('bash', ['--norc', '-e', '-o', 'pipefail', '-c', codeIn('sh')], { env });
    expect(stdout).toContain('{"accepted":true');
    cox.kill('SIGTERM');
    await cox.exited;
  });

  test('holds a conversation with curl', async ({ skip }) => {
    skip(noShell !== '', noShell);
    const { env } = await served();
    const { stdout } = await run('bash', ['--norc', '-e', '-o', 'pipefail', '-c', codeIn('sh')], { env });
    expect(stdout).toContain('"headline":"Bash: ls"');
    expect(stdout).toContain('{"accepted":true');
    expect(stdout).toContain('One file.');
    expect(stdout).toContain('"interrupted":true');
    expect(stdout).toContain('"state":"ended"');
    expect(stdout).toMatch(/"costUsd":[\d.]+,.*\}$/);
  });

  test('holds a conversation with the standard library of Python', async ({ skip }) => {
    skip(noPython !== '', noPython);
    const { env } = await served();
    const { stdout } = await run('python3', ['-c', codeIn('python')], { env });
    const [here, setUp, interrupted, back] = stdout.trim().split('\n');
    expect([here, setUp, back]).toEqual(['One file.', 'Set up.', 'I am back.']);
    expect(interrupted).toContain("'interrupted': True");
  });
});

describe('the description of the API', () => {
  let folder = '';

  beforeAll(() => {
    mkdirSync('.cache', { recursive: true });
    folder = mkdtempSync(resolve('.cache/http-client-'));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  async function description(): Promise<string> {
    const { server } = await served();
    const path = join(folder, 'openapi.json');
    writeFileSync(path, await (await fetch(`${server.origin}/api/v1/openapi.json`)).text());
    return path;
  }

  test('passes a linter', async ({ skip }) => {
    skipUnlessInstalled(skip);
    const load = createRequire(join(CLIENTS, 'package.json'));
    const { createConfig, lint } = load('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems: { ruleId: string; message: string }[] = await lint({ ref: await description(), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    // A linter that never finds anything would be useless.
    const broken = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'));
    delete broken.paths['/usage'].get.operationId;
    writeFileSync(join(folder, 'broken.json'), JSON.stringify(broken));
    expect(await lint({ ref: join(folder, 'broken.json'), config })).not.toEqual([]);
  });

  test('generates a typed client that runs a whole conversation', async ({ skip }) => {
    skipUnlessInstalled(skip);
    const path = await description();
    const entry = createRequire(join(CLIENTS, 'package.json')).resolve('openapi-typescript');
    const { default: generate, astToString } = await import(pathToFileURL(entry).href);
    writeFileSync(join(folder, 'coxswain-api.ts'), astToString(await generate(pathToFileURL(path))));
    writeFileSync(join(folder, 'conversation.ts'), readFileSync(join(CLIENTS, 'conversation.ts'), 'utf8'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(join(CLIENTS, 'node_modules'), join(folder, 'node_modules'), 'junction');
    onTestFinished(() => rmSync(join(folder, 'node_modules')));
    const tsc = join(CLIENTS, 'node_modules/typescript/bin/tsc');
    const flags = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    await run(process.execPath, [tsc, ...flags, ...types, 'conversation.ts'], { cwd: folder });
    const { env } = await served();
    const { stdout } = await run(process.execPath, ['conversation.js'], { cwd: folder, env });
    expect(stdout).toBe('a whole conversation\n');
  });
});
