import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The key of a line that the relay writes unchanged. */
const RAW_KEY = 'coxswain_raw';

/** A line that makes the relay write this text to the CLI, byte by byte, without adding a newline. */
export function rawLine(text: string): string {
  return JSON.stringify({ [RAW_KEY]: text });
}

/** Writes a small program that runs a CLI and can send what a transport refuses: half lines, empty lines. */
export async function writeRelay(folder: string, cliPath: string): Promise<string> {
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
