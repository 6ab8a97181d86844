import { type Reply, text } from '../../testing/model/replies.js';
import { type Probe, type ProbeGroup, probe, probeOne } from '../probe.js';
import { answerValue, describe, type Reaction, refused, served } from '../reaction.js';
import { blocks, message, part } from '../reading.js';
import type { Stage } from '../stage.js';
import { judge, notReachable } from '../verdict.js';
import { writeFile } from './setting-probes.js';

const uuid = (last: number) => `55555555-5555-4555-8555-55555555555${last}`;

/** Conversations that continue in another process. */
export const resumes: ProbeGroup = {
  name: 'resume',
  shared: true,
  probes: [
    probe(
      ['resume:same-id', 'resume:nothing-repeated', 'resume:history', 'resume:fork', 'resume:continue'],
      async (stage) => {
        const id = await endTalk(stage, [text('remembered')]);
        const other = await stage.open({ flags: { resume: id } });
        const resumed = await goOn(other);
        const forked = await goOn(await stage.open({ flags: { resume: id, forkSession: true } }));
        const continued = await goOn(await stage.open({ flags: { continue: true } }));
        const prompts = JSON.stringify(other.cli.model.calls.at(-1)?.messages ?? []);
        return {
          'resume:same-id': judge(resumed === id, 'the id is another one'),
          'resume:nothing-repeated': judge(
            !JSON.stringify(blocks(other.frames, 'assistant')).includes('remembered'),
            'it is printed again',
          ),
          'resume:history': judge(prompts.includes('remembered'), 'it does not'),
          'resume:fork': judge(forked !== id, 'the id is the same'),
          'resume:continue': judge(continued === id || continued === forked, 'it is another conversation'),
        };
      },
    ),
    probe(['resume:after-kill', 'resume:reply-after-kill'], async (stage) => {
      // It is a race, so a second CLI is killed in the same way.
      const first = await killAtResult(stage, stage);
      const { hello, isInPrompts } = first.isInPrompts ? await killAtResult(stage, first.next) : first;
      return {
        'resume:after-kill': judge(hello.kind === 'success', `the handshake failed: ${describe(hello)}`),
        'resume:reply-after-kill': judge(isInPrompts, 'the model does not get it'),
      };
    }),
  ],
};

/** A conversation that does not exist. */
export const unknownSession: ProbeGroup = {
  name: 'resume an unknown session',
  initialize: false,
  start: { flags: { resume: uuid(9) } },
  probes: [
    probe(['resume:unknown', 'resume:unknown-told'], async (stage) => {
      const reaction = await stage.request('initialize', {}, stage.subject.patience.startMs);
      const result = stage.frames.find(message('result'));
      if (result !== undefined) stage.record('message result unknown session', result);
      return {
        'resume:unknown': judge(reaction.kind === 'ended' && reaction.exit.code === 1, describe(reaction)),
        'resume:unknown-told': judge(result !== undefined, 'nothing is printed'),
      };
    }),
  ],
};

/** Rewound files. */
export const rewinds: ProbeGroup = {
  name: 'rewind',
  shared: true,
  start: { flags: { enableFileCheckpointing: true, sessionId: uuid(0) } },
  probes: [
    probe(
      [
        'rewind:dry-run',
        'rewind:dry-run-harmless',
        'rewind:restores',
        'rewind:can-rewind',
        'rewind:unknown-message',
        'rewind:dry-run-unknown',
        'rewind:after-resume',
      ],
      async (stage) => {
        await stage.turn([writeFile(stage, 'a.txt'), text('done')], { uuid: uuid(1) });
        await stage.turn([writeFile(stage, 'b.txt'), text('done')], { uuid: uuid(2) });
        const written = await stage.cli.readFile('b.txt');
        const dry = await stage.request('rewind_files', { user_message_id: uuid(2), dry_run: true });
        const afterDry = await stage.cli.readFile('b.txt');
        const real = await stage.request('rewind_files', { user_message_id: uuid(2) });
        const after = await stage.cli.readFile('b.txt');
        stage.record('answer rewind_files dry run', answerValue(dry));
        stage.record('answer rewind_files after writing', answerValue(real));
        const unknown = await stage.request('rewind_files', { user_message_id: uuid(8) });
        const dryUnknown = await stage.request('rewind_files', { user_message_id: uuid(8), dry_run: true });
        const later = await afterResume(stage);
        const noFiles = notReachable('no files are written');
        return {
          'rewind:dry-run': judge(Array.isArray(part(dry, 'value').filesChanged), describe(dry)),
          'rewind:dry-run-harmless':
            written === undefined ? noFiles : judge(afterDry === written, 'the file is gone'),
          'rewind:restores':
            written === undefined ? noFiles : judge(after === undefined, 'the file is still there'),
          'rewind:can-rewind': judge(part(real, 'value').canRewind === true, describe(real)),
          'rewind:unknown-message': refused(unknown),
          'rewind:dry-run-unknown': judge(
            part(dryUnknown, 'value').canRewind === false,
            describe(dryUnknown),
          ),
          'rewind:after-resume': served(later),
        };
      },
    ),
  ],
};

/** A session without checkpoints has nothing to rewind to. */
export const noCheckpoints: Probe = probeOne('rewind:not-enabled', async (stage) => {
  await stage.turn([], { uuid: uuid(7) });
  return refused(await stage.request('rewind_files', { user_message_id: uuid(7) }));
});

async function afterResume(stage: Stage): Promise<Reaction> {
  stage.cli.endInput();
  await stage.exit();
  const other = await stage.open({ flags: { enableFileCheckpointing: true, resume: uuid(0) } });
  await other.request('initialize', {}, stage.subject.patience.startMs);
  return other.request('rewind_files', { user_message_id: uuid(1) });
}

/** Kills a CLI at a result, and resumes its session in the place of a stage. */
async function killAtResult(stage: Stage, victim: Stage): Promise<AfterKill> {
  const words = `words that came ${victim === stage ? 'first' : 'later'}`;
  const { result } = await victim.turn([text(words)]);
  victim.cli.kill('SIGKILL');
  await victim.exit();
  const next = await stage.open({ flags: { resume: String(result.session_id) } });
  const hello = await next.request('initialize', {}, stage.subject.patience.startMs);
  if (hello.kind !== 'success') return { next, hello, isInPrompts: false };
  await next.turn();
  const prompts = JSON.stringify(next.cli.model.calls.at(-1)?.messages ?? []);
  return { next, hello, isInPrompts: prompts.includes(words) };
}

interface AfterKill {
  /** The CLI that resumes. */
  readonly next: Stage;
  readonly hello: Reaction;
  /** Whether its model gets the last reply. */
  readonly isInPrompts: boolean;
}

/** Completes the handshake, runs one turn and ends the input; returns the session's id. */
async function goOn(stage: Stage): Promise<string> {
  await stage.request('initialize', {}, stage.subject.patience.startMs);
  return endTalk(stage, []);
}

async function endTalk(stage: Stage, speech: readonly Reply[]): Promise<string> {
  const { frames } = await stage.turn(speech);
  stage.cli.endInput();
  await stage.exit();
  return String(frames.find(message('system', 'init'))?.session_id);
}
