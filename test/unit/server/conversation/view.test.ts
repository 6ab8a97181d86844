import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogEvent, SessionSummary } from '../../../../src/entry/remote/contract.js';
import { newSummary } from '../../../../src/server/console/sessions/new-summary.js';
import type { LogEntry, NumberedEvent } from '../../../../src/server/conversation/events.js';
import { loggedMessages } from '../../../../src/server/conversation/logged-messages.js';
import { applyToMessages, NO_MESSAGES } from '../../../../src/server/conversation/messages.js';
import { apply, applyEntries } from '../../../../src/server/conversation/view.js';

const by = { client: 'c', name: 'test', kind: 'page' } as const;
const limits = { now: 0, sessionBudgetUsd: undefined, repository: undefined };
const empty = newSummary('s', { cwd: '/work' }, by, limits);

const id = fc.constantFrom('a', 'b', 'c', 'd');
const amount = fc.integer({ min: 0, max: 9 });
const prompt = fc.record({
  id,
  kind: fc.constant('permission' as const),
  at: amount,
  headline: fc.string(),
  tool: fc.constant('Bash'),
  input: fc.constant({}),
  choices: fc.constant([]),
});
const tokens = fc.record({ input: amount, output: amount, cacheRead: amount, cacheCreation: amount });
const frame = fc.oneof(
  fc.record({ type: fc.constant('user'), uuid: id }),
  fc.record({ type: fc.constantFrom('assistant', 'stream_event', 'control_request') }),
  fc.record({ type: fc.constant('result'), user_message_uuids: fc.array(id, { maxLength: 2 }) }),
  fc.record({
    type: fc.constant('command_lifecycle'),
    command_uuid: id,
    state: fc.constantFrom('queued', 'started', 'completed'),
  }),
);

/** Any event, also of kinds that only a newer version knows. */
const anyEvent: fc.Arbitrary<LogEvent> = fc.oneof(
  fc.record({ kind: fc.constant('queued' as const), uuid: id, content: fc.string(), by: fc.constant(by) }),
  fc.record({ kind: fc.constantFrom('begun' as const, 'unqueued' as const), uuid: id }),
  fc.record({ kind: fc.constant('handed' as const), uuid: id, as: fc.option(id, { nil: undefined }) }),
  fc.record({ kind: fc.constant('settled' as const), uuid: id, outcome: fc.constant({ kind: 'success' }) }),
  fc.record({ kind: fc.constant('prompt' as const), prompt }),
  fc.record({
    kind: fc.constant('prompt-settled' as const),
    prompt: id,
    how: fc.constantFrom('answered' as const, 'expired' as const),
  }),
  fc.record({
    kind: fc.constant('state' as const),
    state: fc.constantFrom('idle' as const, 'running' as const, 'limited' as const, 'ended' as const),
    error: fc.option(fc.string(), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('opened' as const), cwd: fc.string(), by: fc.constant('page' as const) }),
  fc.record({ kind: fc.constant('cli' as const), conversation: fc.option(id, { nil: undefined }) }),
  fc.record({ kind: fc.constant('title' as const), title: fc.string() }),
  fc.record({ kind: fc.constant('settings' as const), maxThinkingTokens: fc.option(amount) }),
  fc.record({ kind: fc.constant('usage' as const), costUsd: amount, tokens }),
  fc.record(
    {
      kind: fc.constant('marks' as const),
      pinned: fc.boolean(),
      archived: fc.boolean(),
      tags: fc.array(fc.string()),
    },
    { requiredKeys: ['kind'] },
  ),
  fc.record({ kind: fc.constant('budget' as const), maxBudgetUsd: fc.option(amount) }),
  fc.record({
    kind: fc.constant('line' as const),
    t: amount,
    from: fc.constantFrom('host' as const, 'cli' as const),
    frame,
  }),
  fc.constant({ kind: 'header', startedAt: '', argv: [] } as const),
  fc.constant({ kind: 'dreamt', of: 'sheep' } as never),
);

/** Events with their numbers, which may have gaps. */
const log: fc.Arbitrary<readonly NumberedEvent[]> = fc
  .array(fc.tuple(anyEvent, fc.integer({ min: 1, max: 3 })), { maxLength: 40 })
  .map((events) => {
    let n = 0;
    return events.map(([event, step]) => {
      n += step;
      return { n, at: 1_000 + n, event };
    });
  });

const fold = (view: SessionSummary, events: readonly NumberedEvent[]) => events.reduce(apply, view);
const asText = ({ n, at, event }: NumberedEvent): LogEntry => ({
  n,
  at,
  rest: JSON.stringify(event).slice(1),
});

describe('the view of a conversation', () => {
  test('is the same after any part of its log was folded, stored and continued', () => {
    fc.assert(
      fc.property(log, fc.nat(40), (events, cut) => {
        const stored: SessionSummary = JSON.parse(JSON.stringify(fold(empty, events.slice(0, cut))));
        expect(fold(stored, events.slice(cut))).toEqual(fold(empty, events));
      }),
    );
  });

  test('is the same if events that it has come again', () => {
    fc.assert(
      fc.property(log, fc.nat(40), (events, from) => {
        const view = fold(empty, events);
        expect(fold(view, events.slice(from))).toEqual(view);
      }),
    );
  });

  test('is the same if it is folded from the text of the log, damaged entries and unknown kinds skipped', () => {
    fc.assert(
      fc.property(log, fc.nat(40), (events, at) => {
        const entries = events.map(asText);
        const torn = { n: 1, at: 1, rest: '"kind":"title","tit' };
        const { last: _last, ...folded } = applyEntries(empty, entries.toSpliced(at, 0, torn));
        const { last: _n, ...whole } = fold(empty, events);
        expect(folded).toEqual(whole);
      }),
    );
  });

  test('has a message once that was accepted twice, until it begins', () => {
    const queued = { kind: 'queued', uuid: 'm', content: 'x', by } as const;
    const events = [queued, queued, { kind: 'begun', uuid: 'm' } as const];
    const views = events.map((_, index) =>
      fold(
        empty,
        events.slice(0, index + 1).map((event, at) => ({ n: at + 1, at, event })),
      ),
    );
    expect(views.map((view) => view.queued)).toEqual([['m'], ['m'], []]);
  });

  test('shows why it ended until it is reopened', () => {
    const ended = apply(empty, { n: 1, at: 1, event: { kind: 'state', state: 'ended', error: 'It broke.' } });
    const again = apply(ended, { n: 2, at: 2, event: { kind: 'opened', cwd: '/other', by: 'program' } });
    expect([ended.error, again.error, again.cwd, again.owner.kind]).toEqual([
      'It broke.',
      undefined,
      '/other',
      'program',
    ]);
  });

  test('has the marks that were last set, and leaves the archive when it continues', () => {
    const events: readonly LogEvent[] = [
      { kind: 'marks', pinned: true, tags: ['shed', 'paint'] },
      { kind: 'marks', archived: true, tags: ['shed'] },
      { kind: 'marks', pinned: false },
      { kind: 'queued', uuid: 'm', content: 'x', by },
      { kind: 'marks', archived: true, tags: [] },
      { kind: 'opened', cwd: '/work', by: 'page' },
    ];
    const marks = events.map((_, index) => {
      const numbered = events.slice(0, index + 1).map((event, at) => ({ n: at + 1, at, event }));
      const { pinned = false, archived = false, tags = [] } = fold(empty, numbered);
      return [pinned, archived, tags.join()];
    });
    expect(marks).toEqual([
      [true, false, 'shed,paint'],
      [true, true, 'shed'],
      [false, true, 'shed'],
      [false, false, 'shed'],
      [false, true, ''],
      [false, false, ''],
    ]);
  });

  test('loses a limit that was taken away', () => {
    const set = apply(empty, { n: 1, at: 1, event: { kind: 'settings', maxThinkingTokens: 5 } });
    const other = apply(set, { n: 2, at: 2, event: { kind: 'settings', model: 'opus' } });
    const gone = apply(other, { n: 3, at: 3, event: { kind: 'settings', maxThinkingTokens: null } });
    expect([set, other, gone].map((view) => view.maxThinkingTokens)).toEqual([5, 5, undefined]);
  });
});

describe('the messages of a log', () => {
  test('are the same if one is accepted twice before it settles', () => {
    fc.assert(
      fc.property(log, (entries) => {
        const events = entries.map(({ event }) => event);
        const once = events.reduce(applyToMessages, NO_MESSAGES);
        for (const [at, event] of events.entries()) {
          if (event.kind !== 'queued') continue;
          expect(events.toSpliced(at, 0, event).reduce(applyToMessages, NO_MESSAGES)).toEqual(once);
        }
      }),
    );
  });

  test('are unsettled exactly if they were accepted, and have not settled since', () => {
    fc.assert(
      fc.property(log, (events) => {
        const over = new Set<string>();
        const open = new Set<string>();
        for (const { event } of events) {
          if (event.kind === 'queued' && !over.has(event.uuid)) open.add(event.uuid);
          if (event.kind === 'settled' || event.kind === 'unqueued') {
            over.add(event.uuid);
            open.delete(event.uuid);
          }
        }
        const { unsettled } = loggedMessages(events.map(asText));
        expect(new Set(unsettled.map(({ uuid }) => uuid))).toEqual(open);
      }),
    );
  });
});
