import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';
import { type AgentCommand, type ClientAnswers, StartedAgent } from '../acp-checks/agent-client.js';
import { type CheckedAgent, SCRIPT } from '../acp-checks/checks.js';

/** A folder, a scripted model and an environment in which agents run. */
export interface AcpPlace extends CheckedAgent, AsyncDisposable {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The requests to the model. */
  readonly requests: readonly ModelRequest[];
  readonly connect: (answers?: ClientAnswers) => StartedAgent;
}

/** How to start an agent on a CLI. */
export type CommandFor = (
  cli: string,
) => Pick<AgentCommand, 'file' | 'args'> & Partial<Pick<AgentCommand, 'env'>>;

/** `coxswain acp` on a CLI. */
export const coxswainAcp =
  (...flags: readonly string[]): CommandFor =>
  (cli) => ({ file: process.execPath, args: [resolve('dist/command.js'), 'acp', '--cli', cli, ...flags] });

/** A setup in which an agent runs on a CLI, real or emulated, with a model that plays the script. */
export async function acpPlace(cli: string, commandFor: CommandFor = coxswainAcp()): Promise<AcpPlace> {
  const folders = await makeThrowawayFolders();
  const requests: ModelRequest[] = [];
  const model = await scriptModel((request) => {
    requests.push(request);
    return replyTo(request, folders.cwd);
  });
  const scenario = join(folders.home, 'scenario.json');
  writeFileSync(scenario, JSON.stringify([{ on: 'user', times: 'any', steps: [{ do: 'askModel' }] }]));
  const extra = {
    IS_SANDBOX: '1',
    COXSWAIN_SCENARIO: scenario,
    COXSWAIN_SESSIONS: join(folders.home, '.claude', 'projects'),
  };
  const env = scrubbedEnvironment({ ...folders, modelUrl: model.url, extra });
  const { cwd } = folders;
  const command = commandFor(cli);
  return {
    cwd,
    env,
    requests,
    connect: (answers) => new StartedAgent({ ...command, cwd, env: { ...env, ...command.env } }, answers),
    [Symbol.asyncDispose]: async () => {
      await model[Symbol.asyncDispose]();
      await folders.remove();
    },
  };
}

/** What the model says: the script of the checks. */
function replyTo({ userText, toolResults }: ModelRequest, cwd: string) {
  if (toolResults.length > 0) return text('That is done.');
  // Text from before an interrupt is in the same message.
  const lines = Object.entries(SCRIPT).toSorted(
    ([one], [other]) => userText.lastIndexOf(other) - userText.lastIndexOf(one),
  );
  const [words, does] = lines[0] ?? ['', ''];
  if (!userText.includes(words)) return text('What?');
  if (words === 'wait forever') return stall(text('Waiting'));
  return typeof does === 'string' ? text(does) : toolUse(does.name, inputIn(cwd, does.input));
}

/** The input of a tool, with the working folder in its paths. */
function inputIn(cwd: string, input: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(input).replaceAll('CWD', cwd));
}
