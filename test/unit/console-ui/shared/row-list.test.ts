import { describe, expect, test } from 'vitest';
import {
  hasTerm,
  parseFilter,
  rangeIn,
  setRange,
  toggleTerm,
} from '../../../../console-ui/shared/model/row-filter.js';
import { joinedText, RowList } from '../../../../console-ui/shared/model/row-list.js';
import { WireLog } from '../../../../console-ui/shared/model/wire-log.js';
import { loadTrace } from '../../../../src/wire/trace/read/read-trace.js';
import { cliSays, hostSays } from './wire-lines.js';

const log = new WireLog();
log.append(await loadTrace('test/recordings/2.1.326/note.trace'));
const { rows } = log.snapshot();
const shown = (filter: string) => new RowList({ filter, fold: true }).update(log.snapshot());
const [first = 0, second = 0] = rows.filter(({ type }) => type === 'result').map(({ t }) => t);
const between = Math.round((first + second) / 2);
// Pieces of one text are one row if rows are folded.
const all = shown('').length;

describe('a filter', () => {
  test.each([
    ['type:result', 2],
    ['type:result type:assistant', 6],
    ['subtype:set_model', 2],
    ['subtype:can_use_tool from:host', 2],
    ['TYPE:Result', 2],
    ['type:assistant mkdir', 1],
    ['type:assistant "mkdir folder"', 1],
    ['is:request tool:bash', 4],
    ['is:note', 5],
    ['is:open', 0],
    [`type:result until:${between}ms`, 1],
    [`type:result since:${between / 1000}s`, 1],
    [`type:result since:${between}ms until:${between + 1}ms`, 0],
    ['nowhere to be found', 0],
  ])('%s matches %i rows', (filter, count) => {
    expect(shown(filter)).toHaveLength(count);
  });

  test('without words matches everything, and a minus excludes', () => {
    expect(new RowList({ filter: '', fold: false }).update(log.snapshot())).toHaveLength(rows.length);
    expect(shown('-is:control -is:note').map(({ row }) => row.type)).not.toContain('control_request');
    expect(shown('-type:result')).toHaveLength(all - 2);
    expect(shown('is:control').length + shown('-is:control').length).toBe(all);
  });

  test('finds a request with its answer by the id', () => {
    const id = rows.find(({ subtype }) => subtype === 'set_model')?.requestId;
    expect(shown(`id:${id}`).map(({ row }) => row.label)).toEqual([
      'request set_model',
      'answer to set_model',
    ]);
  });

  test('reports what it cannot parse, and searches words with an unknown key as text', () => {
    expect(parseFilter('is:nonsense since:soon').problems).toEqual([
      'is:nonsense is not a valid filter',
      'since:soon is not a valid filter',
    ]);
    expect(shown('is:nonsense')).toHaveLength(all);
    expect(parseFilter('http://x').problems).toEqual([]);
    expect(shown('http://nowhere')).toHaveLength(0);
  });

  test('can be changed word by word', () => {
    expect(toggleTerm('type:user "two words"', 'from:cli')).toBe('type:user "two words" from:cli');
    expect(toggleTerm('type:user from:cli', 'from:cli')).toBe('type:user');
    expect(hasTerm('from:cli x', 'from:cli')).toBe(true);
    expect(setRange('x since:1s', { since: 20.4, until: 90 })).toBe('x since:20ms until:90ms');
    expect(setRange('x since:1s until:2')).toBe('x');
    expect(rangeIn('since:1s x')).toEqual({ since: 1000, until: Number.POSITIVE_INFINITY });
    expect(rangeIn('x')).toBeUndefined();
  });
});

describe('pieces of a streamed text', () => {
  const piece = (text: string, index = 0) =>
    cliSays({
      type: 'stream_event',
      event: { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    });
  const streamed = new WireLog();
  streamed.append(
    [piece('one '), piece('two'), cliSays({ type: 'keep_alive' }), piece(' three'), piece('x', 1)].map(
      (entry, at) => ({ at, entry }),
    ),
  );

  test('are one item per run, with their text joined', () => {
    const items = new RowList({ filter: '', fold: true }).update(streamed.snapshot());
    expect(items.map(({ count }) => count)).toEqual([2, 1, 1, 1]);
    expect(items[0] && joinedText(streamed.snapshot().rows, items[0])).toBe('one two');
    expect(new RowList({ filter: '', fold: false }).update(streamed.snapshot())).toHaveLength(5);
  });
});

describe('a list of a log that grows', () => {
  test('continues where it was, and returns the same list if nothing changed', () => {
    const growing = new WireLog();
    const list = new RowList({ filter: 'is:open', fold: true });
    expect(list.update(growing.snapshot())).toEqual([]);
    growing.append([
      {
        at: 1,
        entry: hostSays({ type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } }),
      },
    ]);
    const open = list.update(growing.snapshot());
    expect(open).toHaveLength(1);
    expect(list.update(growing.snapshot())).toBe(open);
    growing.append([
      {
        at: 2,
        entry: cliSays({ type: 'control_response', response: { subtype: 'success', request_id: 'r' } }),
      },
    ]);
    expect(list.update(growing.snapshot())).toEqual([]);
  });

  test('starts again when the log dropped rows', () => {
    const growing = new WireLog({ limit: 4 });
    const list = new RowList({ filter: '', fold: true });
    const say = (at: number) => ({ at, entry: cliSays({ type: 'assistant', n: at }) });
    growing.append([1, 2, 3].map(say));
    expect(list.update(growing.snapshot())).toHaveLength(3);
    growing.append([4, 5].map(say));
    expect(list.update(growing.snapshot()).map(({ row }) => row.at)).toEqual([4, 5]);
  });
});
