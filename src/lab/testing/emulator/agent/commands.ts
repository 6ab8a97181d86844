import { randomUUID } from 'node:crypto';
import { assistantMessage } from '../../builders/assistant.js';
import { fireHooks } from '../asking/emulated-hooks.js';
import { type Cli, resolvedModel, type Scene } from '../cli.js';
import { sendTasks } from '../steps/task-steps.js';
import { sendResult } from '../turns/result-message.js';
import { compact, printed } from './compaction.js';

/** Handles a user message that is a command; false if it is for the model. */
export async function runCommand(scene: Scene): Promise<boolean> {
  const { cli, turn } = scene;
  const name = commandIn(turn.text);
  if (name === undefined) return false;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    if (cli.traits.detailed) return false;
    await endWith(scene, unknownCommand(cli, name));
    return true;
  }
  await command(scene);
  return true;
}

/** Whether the CLI handles a message itself; no hook is called for such a prompt. */
export function isOwnCommand(text: string): boolean {
  const name = commandIn(text);
  return name !== undefined && Object.hasOwn(commands, name);
}

function commandIn(text: string): string | undefined {
  return /^\/([\w:-]+)(?:\s|$)/.exec(text.trim())?.[1];
}

const commands: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  compact: async (scene) => {
    await compact(scene);
    await endWith(scene, '');
  },
  clear: async (scene) => {
    const { cli } = scene;
    if (cli.traits.tellsReset) await clear(scene);
    await endWith(scene, cli.traits.tellsReset ? '' : unknownCommand(cli, 'clear'));
  },
  cost: (scene) => print(scene, `Total cost: $${scene.cli.state.totalCost.toFixed(4)}`),
  context: (scene) => print(scene, `## Context Usage\n\n**Model:** ${resolvedModel(scene.cli)}`),
};

/** Newer versions start a new conversation; older ones cannot do this without a terminal. */
async function clear({ cli, turn }: Scene): Promise<void> {
  const { state } = cli;
  await fireHooks(cli, turn, { event: 'SessionEnd', input: { reason: 'clear' } });
  state.conversation.length = 0;
  await cli.send({
    type: 'conversation_reset',
    new_conversation_id: randomUUID(),
    trigger: 'clear',
    ...(turn.uuids[0] === undefined ? {} : { user_message_uuid: turn.uuids[0] }),
    timestamp: new Date().toISOString(),
  });
  await sendTasks(cli);
  const source = { source: 'clear', model: resolvedModel(cli) };
  await fireHooks(cli, turn, { event: 'SessionStart', input: source });
}

/** Newer versions send it as a model message; older ones print it as a user message. */
async function print(scene: Scene, text: string): Promise<void> {
  const { cli } = scene;
  if (!cli.traits.detailed) {
    await cli.send(printed(cli, text));
    await endWith(scene, '');
    return;
  }
  const session = { session_id: cli.state.sessionId };
  await cli.send(assistantMessage({ type: 'text', text }, { model: '<synthetic>' }, session));
  await endWith(scene, text);
}

/** The oldest versions say nothing. */
function unknownCommand({ traits }: Cli, name: string): string {
  return traits.survivesLostReader ? `Unknown skill: ${name}` : '';
}

/** A command has no Stop hooks. */
async function endWith({ cli, turn }: Scene, text: string): Promise<void> {
  turn.lastText = text;
  await sendResult(cli, turn, { skipsHooks: true });
}
