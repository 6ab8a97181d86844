import { join } from 'node:path';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { differential } from './harness/differential.js';
import type { Options, Program } from './harness/program.js';
import type { Stage } from './harness/stage.js';

/** A program whose CLI is a separate process. */
function spawned(
  name: string,
  scenario: Scenario,
  options: (stage: Stage) => Options = () => ({}),
  more: Partial<Program> = {},
): Program {
  return {
    name,
    run: async (sdk, stage) => {
      try {
        await stage.read(
          sdk.query({ prompt: 'Hi', options: stage.processOptions(scenario, options(stage)) }),
        );
      } catch (error) {
        stage.tell('query failed', stage.thrown(error));
      }
    },
    ...more,
  };
}

const TRUE_CAUSE = { accepts: ['true-cause'] };
const HELLO: Scenario = [onUser([say('Hello.')])];

differential([
  spawned('a CLI in a process answers', HELLO),
  spawned(
    'the CLI’s stderr is passed on',
    [onUser([say('One.'), die({ code: 4, stderr: 'It broke here.\n' })])],
    (stage) => ({
      stderr: (text: string) => stage.tell('stderr', text),
    }),
  ),
  spawned('a CLI that exits with a code and a message on stderr', [
    onUser([die({ code: 4, stderr: 'It broke here.\n' })]),
  ]),
  spawned('a CLI that a signal ends', [onUser([say('One.'), die({ signal: 'SIGKILL' })])]),
  spawned(
    'a CLI that does not exist',
    HELLO,
    (stage) => ({ pathToClaudeCodeExecutable: join(stage.folder, 'claude') }),
    TRUE_CAUSE,
  ),
  spawned(
    'a script that does not exist',
    HELLO,
    (stage) => ({ pathToClaudeCodeExecutable: join(stage.folder, 'claude.js') }),
    TRUE_CAUSE,
  ),
  spawned(
    'a working folder that does not exist',
    HELLO,
    (stage) => ({ cwd: join(stage.folder, 'nowhere') }),
    TRUE_CAUSE,
  ),
  spawned('arguments for the program that runs the CLI', [onUser([done('Hello.')])], () => ({
    executable: 'node',
    executableArgs: ['--no-warnings'],
  })),
]);
