import { text } from '../../testing/model/replies.js';
import { type ProbeGroup, probe, probeOne } from '../probe.js';
import { describe, refused, served } from '../reaction.js';
import { blocks, message, part } from '../reading.js';
import type { Stage } from '../stage.js';
import type { Place, Start } from '../subject.js';
import { judge, notReachable } from '../verdict.js';
import { writeFile } from './settings.js';

const uuid = (last: number) => `55555555-5555-4555-8555-55555555555${last}`;

/** Conversations that go on in another process. */
export const resumes: ProbeGroup = {
  name: 'resume',
  initialize: false,
  probes: [
    probe(
      ['resume:same-id', 'resume:nothing-repeated', 'resume:history', 'resume:fork', 'resume:continue'],
      async (stage) => {
        const place = await stage.subject.makePlace();
        try {
          const id = await talkOnce(stage, place);
          const resumed = await goOn(stage, { place, flags: { resume: id } });
          const forked = await goOn(stage, { place, flags: { resume: id, forkSession: true } });
          const continued = await goOn(stage, { place, flags: { continue: true } });
          const heard = JSON.stringify(resumed.stage.cli.model.calls?.at(-1)?.messages ?? []);
          return {
            'resume:same-id': judge(resumed.id === id, 'the id is another one'),
            'resume:nothing-repeated': judge(
              !JSON.stringify(blocks(resumed.stage.frames, 'assistant')).includes('remembered'),
              'it is printed again',
            ),
            'resume:history':
              resumed.stage.cli.model.calls === undefined
                ? notReachable('no model is called')
                : judge(heard.includes('remembered'), 'it does not'),
            'resume:fork': judge(forked.id !== id && forked.id !== undefined, 'the id is the same'),
            'resume:continue': judge(
              continued.id === id || continued.id === forked.id,
              'it is another conversation',
            ),
          };
        } finally {
          await stage.closeOthers();
          await place.remove();
        }
      },
    ),
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

/** Files that are put back. */
export const rewinds: ProbeGroup = {
  name: 'rewind',
  initialize: false,
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
        const place = await stage.subject.makePlace();
        try {
          return await rewindEverything(stage, place);
        } finally {
          await stage.closeOthers();
          await place.remove();
        }
      },
    ),
    probeOne('rewind:not-enabled', async (stage) => {
      await stage.request('initialize', {}, stage.subject.patience.startMs);
      await stage.turn([], { uuid: uuid(1) });
      return refused(await stage.request('rewind_files', { user_message_id: uuid(1) }));
    }),
  ],
};

async function rewindEverything(stage: Stage, place: Place) {
  const flags = { enableFileCheckpointing: true, sessionId: uuid(0) };
  const first = await stage.open({ place, flags, files: { 'work/old.txt': 'old\n' } });
  await first.request('initialize', {}, stage.subject.patience.startMs);
  await first.turn([writeFile(first, 'a.txt'), text('done')], { uuid: uuid(1) });
  await first.turn([writeFile(first, 'b.txt'), text('done')], { uuid: uuid(2) });
  const written = await first.cli.readFile('b.txt');
  const dry = await first.request('rewind_files', { user_message_id: uuid(2), dry_run: true });
  const afterDry = await first.cli.readFile('b.txt');
  const real = await first.request('rewind_files', { user_message_id: uuid(2) });
  const after = await first.cli.readFile('b.txt');
  stage.record('answer rewind_files dry', part(dry, 'value'));
  stage.record('answer rewind_files', part(real, 'value'));
  const unknown = await first.request('rewind_files', { user_message_id: uuid(8) });
  const dryUnknown = await first.request('rewind_files', { user_message_id: uuid(8), dry_run: true });
  first.cli.endInput();
  await first.exit();
  const second = await stage.open({ place, flags: { enableFileCheckpointing: true, resume: uuid(0) } });
  await second.request('initialize', {}, stage.subject.patience.startMs);
  const later = await second.request('rewind_files', { user_message_id: uuid(1) });
  const noFiles = notReachable('no files are written');
  return {
    'rewind:dry-run': judge(Array.isArray(part(dry, 'value').filesChanged), describe(dry)),
    'rewind:dry-run-harmless':
      written === undefined ? noFiles : judge(afterDry === written, 'the file is gone'),
    'rewind:restores':
      written === undefined ? noFiles : judge(after === undefined, 'the file is still there'),
    'rewind:can-rewind': judge(part(real, 'value').canRewind === true, describe(real)),
    'rewind:unknown-message': refused(unknown),
    'rewind:dry-run-unknown': judge(part(dryUnknown, 'value').canRewind === false, describe(dryUnknown)),
    'rewind:after-resume': served(later),
  };
}

/** A conversation of one turn that has ended; gives its id. */
async function talkOnce(stage: Stage, place: Place): Promise<string> {
  const first = await stage.open({ place });
  await first.request('initialize', {}, stage.subject.patience.startMs);
  const { frames } = await first.turn([text('remembered')]);
  first.cli.endInput();
  await first.exit();
  return String(frames.find(message('system', 'init'))?.session_id);
}

async function goOn(stage: Stage, start: Start): Promise<{ readonly stage: Stage; readonly id: unknown }> {
  const other = await stage.open(start);
  await other.request('initialize', {}, stage.subject.patience.startMs);
  const { frames } = await other.turn();
  other.cli.endInput();
  await other.exit();
  return { stage: other, id: frames.find(message('system', 'init'))?.session_id };
}
