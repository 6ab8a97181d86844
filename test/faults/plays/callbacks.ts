import type { SessionOptions } from '../../../src/host/session/session-options.js';
import { onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { askHost } from '../../../src/lab/testing/emulator/steps/asking-steps.js';
import { act, hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../../src/lab/testing/emulator/steps/step-types.js';
import { useTool } from '../../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject, type RequestBody, type WireObject } from '../../../src/wire/protocol/frames.js';
import { CLI_REQUESTS } from '../../support/cli-requests.js';
import { settle } from '../../support/settle.js';
import { outcomeInWords, settledAs } from '../seen.js';
import { type Play, rounds, type Stage } from '../stage.js';

/** How a callback can misbehave, by the names that the table uses. */
const WAYS: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error('on purpose');
  },
  'throws nothing': () => {
    throw undefined;
  },
  rejects: () => Promise.reject(new Error('on purpose')),
  'returns nothing': () => undefined,
  'returns a text': () => 'yes',
  'returns a made-up answer': () => ({ behavior: 'allow', action: 'accept', accepted: true }),
  'returns what cannot be serialised': () => ({ behavior: 1n }),
  'never returns': () => new Promise(() => {}),
};

/** The CLI's requests, by the kind of the callback that they reach. */
const BODIES: Readonly<Record<string, RequestBody>> = {
  ...CLI_REQUESTS,
  handler: { subtype: 'from_the_future' },
};

/** Options with a callback of this kind that misbehaves. */
function optionsFor(kind: string, misbehave: () => never): SessionOptions {
  switch (kind) {
    case 'hook':
      return { hooks: { PreToolUse: [{ run: misbehave }] } };
    case 'handler':
      return { otherHandlers: { from_the_future: misbehave } };
    case 'dialog':
      return { onDialog: misbehave, supportedDialogKinds: ['d'] };
    default:
      return { [`on${kind[0]?.toUpperCase()}${kind.slice(1)}`]: misbehave };
  }
}

/** The callback of the row's variant. */
function misbehaving(stage: Stage, way = stage.row.variant): () => never {
  return WAYS[way] as () => never;
}

/** The last answer that the CLI got, in a word. */
function answerTo(stage: Stage): string {
  const last = stage.cli.received.findLast(({ type }) => type === 'control_response')?.response;
  if (!isObject(last)) return 'none';
  if (last.subtype === 'error') return 'an error';
  const value: WireObject = isObject(last.response) ? last.response : {};
  const output = isObject(value.hookSpecificOutput) ? value.hookSpecificOutput : {};
  return String(value.behavior ?? value.action ?? output.permissionDecision ?? 'an empty answer');
}

/** A turn that asks and continues, whatever the answer. */
function asked(kind: string, after: Step = say('done')) {
  const body = BODIES[kind] ?? { subtype: kind };
  return onUser('go', [
    act((cli, { turn }) => cli.ask(body, { signal: turn.signal }).catch(() => {})),
    after,
  ]);
}

const never = new Promise<never>(() => {});

/** What callbacks can do to the session. */
export const callbackPlays: Readonly<Record<string, Play>> = {
  'a callback misbehaves': async (stage) => {
    await stage.open([asked(stage.argument)], optionsFor(stage.argument, misbehaving(stage)));
    await stage.turn();
    stage.seen.answer = answerTo(stage);
    await stage.next();
  },
  'a callback never returns, and its time is up': async (stage) => {
    const kind = stage.argument;
    const session = await stage.open([asked(kind)], {
      ...optionsFor(kind, misbehaving(stage, 'never returns')),
      promptTimeoutsMs: { [kind]: 1_000 },
    });
    const turn = session.send('go');
    await stage.due(1_000, turn.outcome);
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.answer = answerTo(stage);
    await stage.next();
  },
  'a callback never returns, and the turn is interrupted': async (stage) => {
    const kind = stage.argument;
    const session = await stage.open(
      [onUser('go', [askHost(BODIES[kind] ?? { subtype: kind }), say('done')])],
      optionsFor(kind, misbehaving(stage, 'never returns')),
    );
    const turn = session.send('go');
    await rounds();
    stage.seen.call = await settledAs(session.interrupt(), () => 'answered');
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.answer = answerTo(stage);
    await stage.next();
  },
  'a callback never returns, and the session is closed': async (stage) => {
    const kind = stage.argument;
    const session = await stage.open(
      [asked(kind, hang())],
      optionsFor(kind, misbehaving(stage, 'never returns')),
    );
    const turn = session.send('go');
    await rounds();
    stage.seen.close = await settledAs(session.close());
    stage.seen.turn = outcomeInWords(await turn.outcome);
  },
  'a hook that must block misbehaves': async (stage) => {
    await stage.open([onUser('go', [useTool('Bash', {}, { result: 'ran' }), say('done')])], {
      hooks: { PreToolUse: [{ run: misbehaving(stage), onFailure: 'block' }] },
    });
    const messages: string[] = [];
    await stage.turn((message) => messages.push(JSON.stringify(message)));
    stage.seen.answer = answerTo(stage);
    stage.seen.tool = messages.some((text) => text.includes('"ran"')) ? 'ran' : 'did not run';
    await stage.next();
  },
  'a hook that must block never returns': async (stage) => {
    const session = await stage.open([onUser('go', [useTool('Bash', {}, { result: 'ran' }), say('done')])], {
      hooks: { PreToolUse: [{ run: () => never, onFailure: 'block', timeoutMs: 10_000 }] },
    });
    const turn = session.send('go');
    await stage.due(9_000, turn.outcome);
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.answer = answerTo(stage);
    await stage.next();
  },
  'a hook that must block never returns, and the session is closed': async (stage) => {
    const session = await stage.open([onUser('go', [useTool('Bash'), hang()])], {
      hooks: { PreToolUse: [{ run: () => never, onFailure: 'block' }] },
    });
    const turn = session.send('go');
    await rounds();
    stage.seen.close = await settledAs(session.close());
    stage.seen.turn = outcomeInWords(await turn.outcome);
  },
  'a listener misbehaves': async (stage) => {
    const misbehave = misbehaving(stage);
    const session = await stage.open([asked('permission')], {
      onPermission: (prompt) => prompt.allow(),
      [stage.argument]: misbehave,
    });
    for (const event of ['state', 'message', 'prompt', 'diagnostic'] as const) session.on(event, misbehave);
    await stage.turn();
    stage.seen.answer = answerTo(stage);
    await stage.next();
  },
  'ten thousand prompts at once': async (stage) => {
    const count = 10_000;
    let answers: unknown[] = [];
    await stage.open(
      [
        onUser('go', [
          act(async (cli) => {
            answers = await Promise.all(
              Array.from({ length: count }, () => cli.ask(CLI_REQUESTS.permission)),
            );
          }),
          say('done'),
        ]),
      ],
      {
        onPermission: async (prompt) => {
          await settle();
          return prompt.allow();
        },
      },
    );
    await stage.turn();
    const allowed = answers.filter((answer) => isObject(answer) && answer.behavior === 'allow').length;
    const sent = stage.cli.received.filter(({ type }) => type === 'control_response').length;
    stage.seen.answers = `${allowed} allowed, ${sent} sent, ${stage.session.prompts.open.length} open`;
    await stage.next();
  },
};
