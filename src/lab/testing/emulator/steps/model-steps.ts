import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksIn, contentOf, type WireObject } from '../../../../wire/protocol/frames.js';
import { heardFromHooks, runCalls, runLoop } from '../agent/agent-loop.js';
import { apiErrorName } from '../agent/call-model.js';
import { runCommand } from '../agent/commands.js';
import type { LoopEnd } from '../agent/conversation.js';
import { unansweredCalls } from '../agent/deferred-call.js';
import { ModelError } from '../agent/model-stream.js';
import { systemPrompt } from '../agent/system-prompt.js';
import type { Cli, Scene } from '../cli.js';
import type { SessionState } from '../session-state.js';
import { sendResult } from '../turns/result-message.js';
import { apiFailure, performApiFailure } from './result-steps.js';
import type { AskModelOptions, AskModelStep, StepOf } from './step-types.js';

/**
 * The model at `url` (default: `ANTHROPIC_BASE_URL`) answers, as with a real CLI: it is called repeatedly, tools run,
 * and commands such as `/compact` work. `text` replaces the user's message.
 */
export function askModel(options: AskModelOptions = {}): StepOf<'askModel'> {
  return { do: 'askModel', ...options };
}

/** Plays {@link askModel}. */
export async function performAskModel({ url, text }: AskModelStep, scene: Scene): Promise<void> {
  const { cli, turn } = scene;
  const { state } = cli;
  // Among messages that became one turn, the last one asks for all of them.
  if (turn.holdsResult) return;
  state.modelUrl = url ?? state.modelUrl;
  try {
    if (text === undefined && !turn.isDeferred && (await runCommand(scene))) return;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    await endTurn(scene, { kind: 'failed', error });
    return;
  }
  for (const id of turn.uuids) state.checkpoints.begin(id);
  const conversation = { system: systemPrompt(cli), messages: state.conversation };
  const say = (content: readonly WireObject[]): void => {
    const notes = notesOnSkills(cli);
    state.conversation.push({ role: 'user', content: [...notes, ...content, ...heardFromHooks(scene)] });
  };
  if (turn.isDeferred) await runCalls(scene, conversation, unansweredCalls(state.conversation));
  else
    say(
      text === undefined
        ? turn.messages.flatMap(({ raw }) => blocksIn(contentOf(raw)))
        : [{ type: 'text', text }],
    );
  turn.goOn = async (reason) => {
    say([{ type: 'text', text: reason }]);
    await runLoop(scene, conversation);
  };
  await endTurn(scene, await runLoop(scene, conversation));
}

/** Some versions tell the model about skills in each process, and forget where they did. */
function notesOnSkills({ state, traits }: Cli): readonly WireObject[] {
  if (traits.keepsPrompt) return state.conversation.length === 0 ? skillNotes(state) : [];
  if (state.toldSkills) return [];
  state.toldSkills = true;
  return [
    { type: 'text', text: '<system-reminder>Skills: none of its own</system-reminder>' },
    ...skillNotes(state),
  ];
}

async function endTurn(scene: Scene, end: LoopEnd): Promise<void> {
  const { cli, turn } = scene;
  if (end.kind === 'done') return;
  if (end.kind !== 'failed') {
    await sendResult(cli, turn, { subtype: SUBTYPES[end.kind] });
    return;
  }
  const { status, message } = end.error;
  const error = apiErrorName(status);
  await performApiFailure(
    apiFailure({ error, status, text: `API Error: ${status ?? ''} ${message}` }),
    scene,
  );
}

const SUBTYPES = {
  'max-turns': 'error_max_turns',
  budget: 'error_max_budget_usd',
  'bad-output': 'error_max_structured_output_retries',
} as const;

/** What the model is first told about the folder's skills, if project settings are loaded. */
function skillNotes({ cwd, settingSources, skills: chosen }: SessionState): readonly WireObject[] {
  const folder = join(cwd, '.claude', 'skills');
  if (!settingSources.includes('project') || !existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => chosen?.includes(name) ?? true);
  const lines = names.flatMap((name) => descriptionOf(join(folder, name, 'SKILL.md'), name));
  const text = `<system-reminder>Skills:\n${lines.join('\n')}</system-reminder>`;
  return lines.length === 0 ? [] : [{ type: 'text', text }];
}

function descriptionOf(file: string, name: string): readonly string[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, description] = /^description:\s*(.+)$/m.exec(text) ?? [];
  return description === undefined ? [] : [`- ${name}: ${description}`];
}
