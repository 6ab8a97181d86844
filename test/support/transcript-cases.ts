import {
  assistant,
  boundary,
  entry,
  id,
  type Line,
  SESSION,
  toolResult,
  toolUse,
  user,
} from './transcripts.js';

const named = (type: string, more: Record<string, unknown>): Line => ({ type, ...more, sessionId: SESSION });
const side = { isSidechain: true };
const hello = [user(11, null, 'first prompt'), assistant(12, 11, 'hi')];
const filler = (number: number, kilobytes: number) => assistant(number, 11, 'y'.repeat(kilobytes * 1024));
const call = (number: number, parent: number, tool: string) =>
  assistant(number, parent, toolUse(tool), { messageId: 'msg_one' });
const summary = (number: number, parent: number) =>
  user(number, parent, 'in short', { isCompactSummary: true });
const dialogue = [user(11, null, 'a'), assistant(12, 11, 'b'), user(13, 12, 'c'), assistant(14, 13, 'd')];

/** Transcripts, whole and broken, for everything that reads them. */
export const transcriptCases: Readonly<Record<string, readonly Line[]>> = {
  plain: hello,
  dialogue,
  'all kinds of titles': [
    ...hello,
    named('custom-title', { customTitle: 'mine' }),
    named('ai-title', { aiTitle: 'made up' }),
    named('summary', { summary: 'in short', leafUuid: id(12) }),
    named('last-prompt', { lastPrompt: 'last' }),
    named('tag', { tag: 'work' }),
  ],
  'a generated title': [
    ...hello,
    named('ai-title', { aiTitle: 'made up' }),
    named('last-prompt', { lastPrompt: 'last' }),
  ],
  'a last prompt': [
    ...hello,
    named('summary', { summary: 'S' }),
    named('last-prompt', { lastPrompt: 'last' }),
  ],
  'a summary at the end': [...hello, named('summary', { summary: 'S' })],
  'a summary at the start': [named('summary', { summary: 'S' }), ...hello],
  'only a summary': [named('summary', { summary: 'S' })],
  'only a title': [named('custom-title', { customTitle: 'T' })],
  'a tag taken back': [...hello, named('tag', { tag: 'T' }), named('tag', { tag: '' })],
  'a title taken back': [
    ...hello,
    named('custom-title', { customTitle: 'T' }),
    named('custom-title', { customTitle: '' }),
  ],
  'a note before the prompt': [user(10, null, 'note', { isMeta: true }), user(11, 10, 'real')],
  'a command before the prompt': [
    user(10, null, '<command-name>/clear</command-name>\n<command-args>x</command-args>'),
    user(11, 10, '<local-command-stdout>y</local-command-stdout>'),
    user(12, 11, 'real'),
  ],
  'only a command': [
    user(10, null, '<command-message>m</command-message>\n<command-name>/review</command-name>'),
  ],
  'a command of the shell': [user(10, null, '<bash-input>ls</bash-input>'), user(11, 10, 'real')],
  'an interruption first': [
    user(10, null, [{ type: 'text', text: '[Request interrupted by user]' }]),
    user(11, 10, 'real'),
  ],
  'a file opened in the editor': [
    user(10, null, [
      { type: 'text', text: '<ide_opened_file>x</ide_opened_file>' },
      { type: 'text', text: 'real' },
    ]),
  ],
  'a tag in small letters': [
    user(10, null, '<session-start-hook>x</session-start-hook>'),
    user(11, 10, 'real'),
  ],
  'a tag in capitals': [user(10, null, '<Foo attr="1">x'), user(11, 10, 'real')],
  'results of tools first': [user(10, null, toolResult('t')), user(11, 10, 'real')],
  'a compacted conversation first': [summary(10, 9), user(11, 10, 'real')],
  'an image before the text': [
    user(10, null, [
      { type: 'image', source: {} },
      { type: 'text', text: 'look' },
    ]),
  ],
  'a long prompt': [user(10, null, 'x'.repeat(500))],
  'a prompt of several lines': [user(10, null, ' a\n\n b\t c ')],
  'an empty prompt first': [user(10, null, '  '), user(11, 10, 'real')],
  'two texts': [
    user(10, null, [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]),
  ],
  'odd characters': [user(11, null, 'he said "hi" \\ \u2028 ü')],
  'titles that are not titles': [
    user(11, null, 'set {"type":"custom-title","customTitle":"evil"}', { toolUseResult: { tag: 'evil' } }),
  ],
  'a sidechain first': [user(10, null, 'side', side), user(11, null, 'real')],
  'a sidechain last': [...hello, user(20, null, 's', side), assistant(21, 20, 't', side)],
  'a sidechain inside': [
    user(11, null, 'a'),
    assistant(12, 11, toolUse('t')),
    user(20, null, 's', side),
    assistant(21, 20, 't', side),
    user(13, 12, toolResult('t')),
    assistant(14, 13, 'd'),
  ],
  'a sidechain as parent': [user(11, null, 'a', side), assistant(12, 11, 'b'), user(13, 12, 'c')],
  empty: [],
  'only an answer': [assistant(12, null, 'hi')],
  'a first line without a time': [named('x', {}), ...hello],
  'a broken first line': ['{"type":"us', ...hello],
  'a broken line': [user(11, null, 'a'), '{"type":"assis', assistant(12, 11, 'b')],
  'a broken link': [user(11, null, 'a'), '{"uuid":"', user(13, 12, 'c'), assistant(14, 13, 'd')],
  'lines that are no objects': [...hello, 'null', '5', '"text"', '[]', '{}'],
  'a session that moved': [
    user(11, null, 'a', { cwd: '/one', gitBranch: 'b1' }),
    assistant(12, 11, 'b', { cwd: '/two', gitBranch: 'b2' }),
  ],
  'a title in the head of a long one': [
    ...hello,
    named('custom-title', { customTitle: 'T' }),
    filler(13, 300),
  ],
  'a title in the middle': [
    ...hello,
    filler(13, 90),
    named('custom-title', { customTitle: 'T' }),
    filler(14, 90),
  ],
  'a title at the end of a long one': [
    ...hello,
    filler(13, 300),
    named('custom-title', { customTitle: 'T' }),
  ],
  'a long one without a prompt': [
    assistant(10, null, 'y'.repeat(90 * 1024)),
    assistant(11, 10, 'y'.repeat(90 * 1024)),
    named('custom-title', { customTitle: 'T' }),
  ],
  'two branches': [...dialogue, user(15, 12, 'e'), assistant(16, 15, 'f')],
  'two branches, the first goes on': [
    ...dialogue.slice(0, 2),
    user(15, 12, 'e'),
    assistant(16, 15, 'f'),
    user(13, 12, 'c'),
  ],
  'two roots': [...hello, user(21, null, 'c'), assistant(22, 21, 'd')],
  'a missing parent': [...hello, user(13, 99, 'c'), assistant(14, 13, 'd')],
  'a circle': [user(11, 12, 'a'), assistant(12, 11, 'b')],
  'a circle with a tail': [user(11, 12, 'a'), assistant(12, 11, 'b'), user(13, 12, 'c')],
  'its own parent': [user(11, 11, 'a')],
  'the same uuid twice': [
    user(11, null, 'a'),
    assistant(12, 11, 'one'),
    assistant(12, 11, 'two'),
    user(13, 12, 'c'),
  ],
  'out of order': [assistant(12, 11, 'b'), user(11, null, 'a'), user(13, 12, 'c')],
  'attachments between': [user(11, null, 'a'), entry(12, 11, { type: 'attachment' }), assistant(13, 12, 'b')],
  'an attachment last': [...hello, entry(14, 12, { type: 'attachment' })],
  'progress between': [user(11, null, 'a'), entry(12, 11, { type: 'progress' }), assistant(13, 12, 'b')],
  'a system message between': [
    user(11, null, 'a'),
    entry(12, 11, { type: 'system', subtype: 'informational' }),
    assistant(13, 12, 'b'),
  ],
  'a system message last': [...hello, entry(13, 12, { type: 'system', subtype: 'informational' })],
  'a note last': [...hello, user(14, 12, 'note', { isMeta: true })],
  'an agent of a team': [user(11, null, 'a'), assistant(12, 11, 'b', { teamName: 't' })],
  'a compaction': [...hello, boundary(13), summary(14, 13), user(15, 14, 'c')],
  'a compaction that kept a segment': [
    ...dialogue,
    boundary(15, { preservedSegment: { headUuid: id(13), anchorUuid: id(16), tailUuid: id(14) } }),
    summary(16, 15),
    user(17, 16, 'e'),
    assistant(18, 17, 'f'),
  ],
  'a compaction that kept messages': [
    ...dialogue,
    boundary(15, { preservedMessages: { anchorUuid: id(16), uuids: [id(13), id(14)] } }),
    summary(16, 15),
    user(17, 16, 'e'),
    assistant(18, 17, 'f'),
  ],
  'tools side by side, in a row': [
    user(11, null, 'a'),
    call(12, 11, 't1'),
    call(13, 12, 't2'),
    user(14, 12, toolResult('t1')),
    user(15, 13, toolResult('t2')),
    assistant(16, 15, 'done'),
  ],
  'tools side by side, as siblings': [
    user(11, null, 'a'),
    call(12, 11, 't1'),
    call(13, 11, 't2'),
    user(14, 12, toolResult('t1')),
    user(15, 13, toolResult('t2')),
    assistant(16, 15, 'done'),
  ],
  'tools side by side, one late': [
    user(11, null, 'a'),
    call(12, 11, 't1'),
    call(13, 12, 't2'),
    call(17, 13, 't3'),
    user(14, 12, toolResult('t1')),
    user(15, 13, toolResult('t2')),
    user(18, 17, toolResult('t3')),
    assistant(16, 14, 'done'),
  ],
  'an entry without a uuid': [{ ...user(11, null, 'a'), uuid: undefined }, user(12, null, 'b')],
  'an entry without a message': [{ ...user(11, null, 'a'), message: undefined }, assistant(12, 11, 'b')],
  'an entry without a time': [{ ...user(11, null, 'a'), timestamp: undefined }, assistant(12, 11, 'b')],
  'two session ids': [user(11, null, 'a', { sessionId: id(5) }), assistant(12, 11, 'b')],
  'an origin': [
    ...hello,
    user(13, 12, '<task-notification>x</task-notification>', { origin: { kind: 'task-notification' } }),
  ],
  'an entry of a type that nobody knows between': [
    user(11, null, 'a'),
    entry(12, 11, { type: 'novel' }),
    assistant(13, 12, 'b'),
  ],
  'a prompt far behind the head': [
    assistant(10, null, 'y'.repeat(100 * 1024)),
    user(11, 10, 'far'),
    filler(12, 100),
  ],
};
