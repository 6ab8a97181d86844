// Child processes for the scripts: run one and wait, or several in parallel with tidy output.
import { spawn } from 'node:child_process';

/** Runs a program with this terminal and resolves to its exit code (1 for a signal or a failed start). */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Runs named chains of commands in parallel, the commands of a chain one after another; prints the output
 * of those that fail. Resolves to whether all passed.
 */
export async function runAll(chains) {
  const results = await Promise.all(chains.map(runChain));
  for (const { name, code, output, ms } of results.flat()) {
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${(ms / 1000).toFixed(1)} s)`);
    if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '     '));
  }
  return results.flat().every(({ code }) => code === 0);
}

/** Runs a command and resolves to `{ name, code, output, ms }`. */
export function runQuietly([name, command, args, options = {}]) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    const done = (code, text) => resolve({ name, code, output: text, ms: performance.now() - started });
    child.once('error', (error) => done(1, error.message));
    child.once('close', (code) => done(code ?? 1, Buffer.concat(output).toString()));
  });
}

async function runChain(commands) {
  const results = [];
  for (const command of commands) results.push(await runQuietly(command));
  return results;
}
