import { execScript, writeProgram } from '../../wire/files/node-program.js';
import { builtFile } from '../../wire/package/built-file.js';
import type { CommandContext } from '../command-context.js';

/** The CLI that a wrapper taps. */
export interface Wrapped {
  readonly output: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly flags: {
    readonly raw?: boolean;
    readonly maxBytes?: number;
    readonly rotate?: boolean;
    readonly keep?: number;
    readonly live?: boolean;
  };
}

/** Writes a small program that runs a CLI under a tap; returns its path. */
export async function writeTapWrapper(
  path: string,
  { output, file, args, flags }: Wrapped,
  { platform }: Pick<CommandContext, 'platform'>,
): Promise<string> {
  const { raw, maxBytes, rotate, keep, live } = flags;
  const words = [
    ...[process.execPath, builtFile('command.js'), 'tap', '-o', output],
    ...(raw === true ? ['--raw'] : []),
    ...(maxBytes === undefined ? [] : ['--max-bytes', String(maxBytes)]),
    ...(rotate === true ? ['--rotate'] : []),
    ...(keep === undefined ? [] : ['--keep', String(keep)]),
    ...(live === true ? ['--live'] : []),
    ...['--', file, ...args],
  ];
  return writeProgram(path, { shell: execScript(words), module: moduleText(words) }, platform);
}

/** Passes its own pipes to the tap, and exits with the tap's exit code. */
function moduleText([file = '', ...words]: readonly string[]): string {
  return `#!/usr/bin/env node
import { spawn } from 'node:child_process';
const words = ${JSON.stringify(words)};
const child = spawn(${JSON.stringify(file)}, [...words, ...process.argv.slice(2)], { stdio: 'inherit' });
child.once('exit', (code) => process.exit(code ?? 1));
`;
}
