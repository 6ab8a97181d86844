import { errorText } from '../../../../wire/util/error-text.js';
import type { EmulatedVersion } from '../versions/traits.js';
import { endProcess, processPipes } from './process-pipes.js';
import { runProgram } from './run-program.js';

/** Plays a CLI in place of this process, and ends it as that CLI would. */
export async function startProgram(version?: EmulatedVersion): Promise<void> {
  try {
    const status = await runProgram({
      args: process.argv.slice(2),
      env: process.env,
      cwd: process.cwd(),
      pid: process.pid,
      isRoot: process.getuid?.() === 0,
      ...(version === undefined ? {} : { version }),
      makePipes: processPipes,
    });
    endProcess(status);
  } catch (error) {
    process.stderr.write(`coxswain emulate: ${errorText(error)}\n`);
    process.exit(2);
  }
}
