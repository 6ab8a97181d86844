import { randomUUID } from 'node:crypto';
import type { Session } from '../../host/session/session.js';
import { drip, stall, text, toolUse } from '../../lab/testing/model/replies.js';
import type { ProbeRig } from './probe-rig.js';

/** The dependencies of a probe. */
export interface ProbeStage {
  readonly rig: ProbeRig;
  readonly session: Session;
  /** What the patch reported when it was applied. */
  readonly details: readonly string[];
}

/** Tries one patch on a running copy. */
export interface PatchProbe {
  readonly patch: string;
  readonly what: string;
  /** Resolves to the observation; throws if it is not what the patch promises. */
  run(stage: ProbeStage): Promise<string>;
}

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
  {
    patch: '005-mcp-tools',
    what: 'the tools of a server are listed with description and schema',
    run: async ({ session }) => {
      const { tools, count } = await session.mcp.tools('probe');
      const [tool] = tools;
      const whole = count === 1 && tool?.description !== undefined && tool.inputSchema !== undefined;
      return check(whole, `${count} tool: ${tool?.name}, ${tool?.description}`);
    },
  },
  {
    patch: '004-mcp-reconnect',
    what: 'a server is reconnected, and the next turn talks to the new process',
    run: async ({ session, rig }) => {
      const before = await rig.callTool(session);
      const { success, toolsCount } = await session.mcp.reconnect('probe');
      const after = await rig.callTool(session);
      const isNew = success && toolsCount === 1 && /^pid \d+/.test(after) && after !== before;
      return check(isNew, `${before}, then ${after}`);
    },
  },
  {
    patch: '006-mcp-disable-enable',
    what: 'a server is disabled and enabled, and the next turn shows it',
    run: async ({ session, rig }) => {
      const off = await session.mcp.disable('probe');
      const without = await rig.callTool(session);
      const on = await session.mcp.enable('probe');
      const withIt = await rig.callTool(session);
      const right = off.status === 'disabled' && /No such tool/.test(without) && on.status === 'connected';
      return check(right && /^pid \d+/.test(withIt), `${off.status}, then ${on.status}`);
    },
  },
  {
    patch: '001-run-in-background',
    what: 'running work is moved to the background, and the CLI keeps running',
    run: (stage) =>
      stage.details.some((each) => each.startsWith('agents')) ? moveAnAgent(stage) : moveACommand(stage),
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

/** If the CLI can move commands alone. */
async function moveACommand({ session, rig }: ProbeStage): Promise<string> {
  rig.answer(({ toolResults }) =>
    toolResults.length === 0
      ? toolUse('Bash', { command: 'sleep 20' }, 'toolu_command')
      : text('It runs on.'),
  );
  const turn = session.send('start a command');
  const { backgrounded } = await session.background('toolu_command');
  check(backgrounded, 'nothing was moved');
  const outcome = await turn.outcome;
  const [result] =
    rig.model.requests.findLast(({ toolResults }) => toolResults.length > 0)?.toolResults ?? [];
  rig.answer(() => text('Still here.'));
  const later = await session.send('are you there?').text();
  const right =
    outcome.kind === 'success' && /background/.test(result?.text ?? '') && later === 'Still here.';
  return check(right, `a command was moved, turn ${outcome.kind}, result: ${result?.text}, then: ${later}`);
}

const AGENT = { description: 'probe', prompt: 'work of the agent', subagent_type: 'general-purpose' };

/** Fails a probe unless a condition holds. */
export function check(holds: boolean, seen: string): string {
  if (!holds) throw new Error(seen);
  return seen;
}

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
