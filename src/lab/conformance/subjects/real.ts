import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RealCli, realCli } from '../../testing/real-cli/real-cli.js';
import { makeThrowawayFolders } from '../../testing/real-cli/throwaway-folders.js';
import type { Exit, Patience, Start, StartedCli, Subject } from '../subject.js';
import { writeFiles } from './files.js';
import { type ScriptedSpeech, scriptedSpeech } from './scripted-speech.js';

/** Enough for a busy machine; silence takes the full time, everything else only until it arrives. */
const PATIENCE: Patience = { startMs: 60_000, answerMs: 20_000, turnMs: 40_000, quietMs: 2_000 };

/** A real CLI, run offline against a scripted model, without this machine's configuration. */
export function realSubject(path: string, patience: Patience = PATIENCE): Subject {
  return {
    name: path,
    patience,
    // Most of the time, a CLI waits for a probe that waits for silence.
    concurrency: 3,
    makePlace: () => makeThrowawayFolders(),
    start: (start) => startReal(path, start),
  };
}

async function startReal(path: string, { flags = {}, env = {}, files = {}, place, raw = false }: Start) {
  const folders = place ?? (await makeThrowawayFolders());
  const relayFolder = raw ? await mkdtemp(join(tmpdir(), 'coxswain-relay-')) : undefined;
  const model = await scriptedSpeech();
  const cleanUp = async (): Promise<void> => {
    await model.server.close();
    if (place === undefined) await folders.remove();
    if (relayFolder !== undefined) await rm(relayFolder, { recursive: true, force: true });
  };
  try {
    await writeFiles(folders, files);
    const program = relayFolder === undefined ? path : await writeRelay(relayFolder, path);
    const cli = await realCli({
      path: program,
      model: model.server,
      home: folders.home,
      cwd: folders.cwd,
      env: { CLAUDE_CODE_MAX_RETRIES: '1', IS_SANDBOX: '1', ...env },
      // Probes wait for the effect of ending its input; a CLI that is closed is killed first.
      ending: { eofMs: 30_000, termMs: 1_000, killMs: 2_000 },
      // Some versions start in another mode, in which they do not ask about calls.
      permissionMode: 'default',
      ...flags,
    });
    return startedCli(cli, { model, cwd: folders.cwd, cleanUp });
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

interface CliParts {
  readonly model: ScriptedSpeech;
  readonly cwd: string;
  readonly cleanUp: () => Promise<void>;
}

function startedCli(cli: RealCli, { model, cwd, cleanUp }: CliParts): StartedCli {
  const exit = cli.exit.then(
    async ({ code, signal }): Promise<Exit> => ({ code, signal, stderr: cli.stderrTail() }),
  );
  let over = false;
  void exit.then(() => {
    over = true;
  });
  return {
    transport: cli,
    cwd,
    version: cli.version,
    model,
    exit,
    write: (text) => cli.send(rawLine(text)),
    endInput: () => cli.leave(),
    kill: (signal) => {
      if (!over) process.kill(cli.pid, signal);
    },
    readFile: (file) => readFile(join(cwd, file), 'utf8').catch(() => undefined),
    close: async () => {
      if (!over) process.kill(cli.pid, 'SIGKILL');
      await cli.close();
      await cleanUp();
    },
  };
}

/** The key of a line that the relay writes unchanged. */
const RAW_KEY = 'coxswain_raw';

/** A line that makes the relay write this text to the CLI, byte by byte, without adding a newline. */
function rawLine(text: string): string {
  return JSON.stringify({ [RAW_KEY]: text });
}

/** Writes a small program that runs a CLI and can send what a transport refuses: half lines, empty lines. */
async function writeRelay(folder: string, cliPath: string): Promise<string> {
  const path = join(folder, 'relay.cjs');
  await writeFile(path, relayProgram(cliPath));
  return path;
}

function relayProgram(cliPath: string): string {
  const script = /\.[cm]?js$/.test(cliPath);
  return `const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
const args = process.argv.slice(2);
const program = ${JSON.stringify(cliPath)};
const child = ${script} ? spawn(process.execPath, [program, ...args], STDIO()) : spawn(program, args, STDIO());
function STDIO() { return { stdio: ['pipe', 'inherit', 'inherit'] }; }
child.stdin.on('error', () => {});
child.on('exit', (code, signal) => process.exit(signal ? 128 : code));
createInterface({ input: process.stdin }).on('line', (line) => {
  const raw = line.startsWith('{"${RAW_KEY}":') ? JSON.parse(line).${RAW_KEY} : line + '\\n';
  child.stdin.write(raw);
}).on('close', () => child.stdin.end());
`;
}
