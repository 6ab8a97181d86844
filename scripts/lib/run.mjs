// Child processes for the scripts: run one and wait, or several side by side with tidy output.
import { spawn } from 'node:child_process';

/** Runs a program with this terminal and resolves to its exit code (1 for a signal). */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs named jobs side by side; prints the output of those that fail. Resolves to whether all passed. */
export async function runAll(jobs) {
  const results = await Promise.all(jobs.map(runQuietly));
  for (const { name, code, output, ms } of results) {
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${(ms / 1000).toFixed(1)} s)`);
    if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '     '));
  }
  return results.every(({ code }) => code === 0);
}

function runQuietly([name, command, args]) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    const done = (code, text) => resolve({ name, code, output: text, ms: performance.now() - started });
    child.once('error', (error) => done(1, error.message));
    child.once('close', (code) => done(code ?? 1, Buffer.concat(output).toString()));
  });
}
