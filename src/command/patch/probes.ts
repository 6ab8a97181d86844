import { randomUUID } from 'node:crypto';
import type { Session } from '../../host/session/session.js';
import { drip, stall, text, toolUse } from '../../lab/testing/model/replies.js';
import { check, type PatchProbe, type ProbeStage } from './probe.js';
import type { ProbeRig } from './probe-rig.js';
import { serverProbes } from './server-probes.js';

/** The probes for the patches in this package, in the order they run on one session. */
export const patchProbes: readonly PatchProbe[] = [
  {
    patch: '007-unknown-subtype',
    what: 'an unknown request is answered with an error',
    run: async ({ session }) => {
      const answer = await session
        .control<string>('coxswain_unknown', {}, { deadlineMs: 5_000 })
        .catch(ownWords);
      return expectText(answer, /Unsupported control request subtype/);
    },
  },
  {
    patch: '002-chrome-status',
    what: 'the state of the Chrome extension is reported',
    run: async ({ session }) => {
      const { installed, enabled, connected } = await session.chrome.status();
      const told = [installed, enabled, connected].every((each) => typeof each === 'boolean');
      return check(told, `installed ${installed}, enabled ${enabled}, connected ${connected}`);
    },
  },
  ...serverProbes,
  {
    patch: '001-run-in-background',
    what: 'running work is moved to the background and reported, and the CLI keeps running',
    run: async (stage) => {
      const can = (what: string) => stage.details.some((each) => each.includes(what));
      const seen: string[] = [];
      if (can('commands')) seen.push(await moveACommand(stage));
      if (can('agents')) seen.push(await moveAnAgent(stage));
      return seen.join('; ');
    },
  },
];

async function moveAnAgent({ session, rig }: ProbeStage): Promise<string> {
  let runs = 0;
  rig.answer(({ userText, toolResults }) => {
    if (userText.includes('work of the agent')) {
      runs += 1;
      // Some CLIs miss the end of an agent that finishes immediately, and hold back the result (see the page
      // on patches).
      return runs === 1 ? stall() : drip(text('The agent is done.'), { chunkLength: 6, delayMs: 300 });
    }
    // A turn that tells the model about the agent's end asks too.
    const isBegin = toolResults.length === 0 && userText.includes('start an agent');
    return isBegin ? toolUse('Task', AGENT, 'toolu_agent') : text('It runs on.');
  });
  const turn = session.send('start an agent');
  const { backgrounded } = await session.background('toolu_agent');
  // The agent would never stop waiting for the model.
  check(backgrounded, 'nothing was moved');
  const outcome = await turn.outcome;
  await rig.model.waitForRequest(({ userText }) => userText.includes('work of the agent') && runs > 1);
  rig.answer(() => text('Still here.'));
  const later = await session.send('are you there?').text();
  const right = outcome.kind === 'success' && later === 'Still here.';
  return check(right, `moved, turn ${outcome.kind}, agent ran ${runs} times, then: ${later}`);
}

/** The CLI must survive the end of the command, which some queue like a prompt. */
async function moveACommand({ session, rig }: ProbeStage): Promise<string> {
  rig.answer(({ toolResults, userText }) => {
    const isBegin = toolResults.length === 0 && userText.includes('start a command');
    return isBegin ? toolUse('Bash', { command: 'sleep 60' }, 'toolu_command') : text('It runs on.');
  });
  const tasks: (readonly [unknown, unknown])[] = [];
  const stopListening = session.on('message', ({ subtype, task_id: id, status, tool_use_id: call }) => {
    if (call === 'toolu_command' && String(subtype).startsWith('task_')) tasks.push([id, status ?? subtype]);
  });
  const turn = session.send('start a command');
  const { backgrounded } = await session.background('toolu_command');
  check(backgrounded, 'nothing was moved');
  const outcome = await turn.outcome;
  const [result] =
    rig.model.requests.findLast(({ toolResults }) => toolResults.length > 0)?.toolResults ?? [];
  await session.tasks.stop(String(tasks[0]?.[0]));
  await session.settled();
  stopListening();
  rig.answer(() => text('Still here.'));
  const later = await session.send('are you there?').text();
  const told = tasks.map(([, what]) => what).join(', ');
  const right =
    outcome.kind === 'success' &&
    /background/.test(result?.text ?? '') &&
    told === 'task_started, stopped' &&
    later === 'Still here.';
  return check(
    right,
    `a command was moved, turn ${outcome.kind}, result: ${result?.text}, reported: ${told}, then: ${later}`,
  );
}

const AGENT = { description: 'probe', prompt: 'work of the agent', subagent_type: 'general-purpose' };

/** The CLI's own message, without our error around it. */
function ownWords(error: unknown): string {
  return String(error instanceof Error ? (error.cause ?? error) : error);
}

function expectText(value: unknown, pattern: RegExp): string {
  return check(typeof value === 'string' && pattern.test(value), String(value));
}

/** Sends a message after an earlier one, resumes the conversation, and reads what the model is shown. */
export async function probeParentUuid(rig: ProbeRig): Promise<string> {
  rig.answer(({ userText }) => text(`Answer to ${userText}.`));
  const sessionId = randomUUID();
  await using session = await rig.open({ sessionId });
  const parentUuid = await say(session, 'first');
  await say(session, 'mistaken');
  await say(session, 'edited', parentUuid);
  const shown = said(rig);
  await session.close();
  await using resumed = await rig.open({ resume: sessionId });
  await say(resumed, 'later');
  const seen = `${shown.join(', ')}; resumed: ${said(rig).join(', ')}`;
  return check(seen === 'first, edited; resumed: first, edited, later', seen);
}

/** Sends a message; returns the id of the model's answer. */
async function say(session: Session, words: string, parentUuid?: string): Promise<string> {
  let last = '';
  for await (const { type, uuid } of session.send(words, { parentUuid }))
    if (type === 'assistant') last = String(uuid);
  return last;
}

/** The user's words in the last request of the conversation. */
function said({ model }: ProbeRig): readonly string[] {
  const request = model.requests.findLast(({ kind, messages }) => kind === 'main' && messages.length > 1);
  const users = (request?.messages ?? []).filter(({ role }) => role === 'user');
  const words = JSON.stringify(users);
  return ['first', 'mistaken', 'edited', 'later'].filter((word) => words.includes(`"${word}"`));
}
