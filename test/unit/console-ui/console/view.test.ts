import { describe, expect, it } from 'vitest';
import {
  foldEvents,
  NO_VIEW,
  type SessionView,
  viewFrom,
} from '../../../../console-ui/console/model/view.js';
import { promptNews } from '../../../../console-ui/console/store/notify.js';
import { NOTHING_YET, receive } from '../../../../console-ui/console/store/state.js';
import type {
  Attached,
  LogEvent,
  PromptView,
  ServerMessage,
  SessionEvent,
  SessionSummary,
} from '../../../../src/entry/remote/contract.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';

const event = (n: number, log: LogEvent, session = 's1'): SessionEvent => ({
  type: 'event',
  session,
  n,
  at: n,
  event: log,
});
const attached = (more: Partial<Attached>): Attached => ({
  type: 'attached',
  session: 's1',
  from: 1,
  first: 1,
  last: 0,
  reset: false,
  ...more,
});
const said = (text: string): LogEvent => ({
  kind: 'line',
  t: 0,
  from: 'cli',
  frame: { type: 'assistant', message: { id: text, content: [{ type: 'text', text }] } },
});
const toolUse: LogEvent = {
  kind: 'line',
  t: 0,
  from: 'cli',
  frame: {
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
  },
};
const prompt: PromptView = {
  kind: 'permission',
  id: 'p1',
  at: 1,
  toolUseId: 't1',
  headline: 'Bash: ls',
  tool: 'Bash',
  input: { command: 'ls' },
  choices: [],
};

describe('the events of a session', () => {
  it('count once, however often they arrive', () => {
    const events = [event(1, said('a')), event(2, said('b'))];
    const view = foldEvents(foldEvents(NO_VIEW, events), [...events, event(3, said('c'))]);
    expect(view.last).toBe(3);
    expect(view.conversation.items).toHaveLength(3);
  });

  it('show who decided about a tool call', () => {
    const by = { client: 'c2', name: 'Firefox on Android' };
    const asked = foldEvents(NO_VIEW, [event(1, toolUse), event(2, { kind: 'prompt', prompt })]);
    expect(asked.conversation.items).toMatchObject([{ asking: 'p1' }]);
    const settled = {
      kind: 'prompt-settled',
      prompt: 'p1',
      how: 'answered',
      by,
      answer: { answer: 'allow' },
    } as const;
    const view = foldEvents(asked, [event(3, settled)]);
    expect(view.conversation.items).toMatchObject([
      { asking: undefined, decision: { how: 'answered', by, answer: { answer: 'allow' } } },
    ]);
    expect(view.prompts).toEqual([]);
  });

  it('show waiting messages, and cancelled ones', () => {
    const by = { client: 'c', name: 'n' };
    const queued = foldEvents(NO_VIEW, [event(1, { kind: 'queued', uuid: 'u1', content: 'later', by })]);
    expect(queued.conversation.items).toMatchObject([{ kind: 'user', state: 'queued' }]);
    const dropped = foldEvents(queued, [event(2, { kind: 'unqueued', uuid: 'u1' })]);
    expect(dropped.conversation.items).toMatchObject([{ state: 'dropped' }]);
    const sent: LogEvent = {
      kind: 'line',
      t: 0,
      from: 'host',
      frame: { type: 'user', uuid: 'u1', message: { content: 'later' } },
    };
    const begun = foldEvents(queued, [event(2, said('a')), event(3, sent)]);
    expect(begun.conversation.items.map(({ kind }) => kind)).toEqual(['text', 'user']);
  });

  it('show how a CLI ended, with its last output', () => {
    const end = { reason: 'exited', code: 1, signal: null, stderrTail: 'no such model' } as const;
    const { items } = foldEvents(NO_VIEW, [event(1, { kind: 'end', t: 0, end })]).conversation;
    expect(items).toMatchObject([
      { kind: 'note', level: 'error', text: 'The CLI ended with code 1.\nno such model' },
    ]);
  });

  it('keep lines read from disk out of the wire', () => {
    const view = foldEvents(NO_VIEW, [
      event(1, { ...said('old'), earlier: true } as LogEvent),
      event(2, said('new')),
    ]);
    expect(view.conversation.items).toHaveLength(2);
    expect(view.wire.map(({ n }) => n)).toEqual([2]);
  });

  it('are bounded for the inspector', () => {
    const events = Array.from({ length: 6_000 }, (_, index) =>
      event(index + 1, { kind: 'line', t: 0, from: 'cli', frame: { type: 'keep_alive' } }),
    );
    expect(foldEvents(NO_VIEW, events).wire).toHaveLength(5_000);
  });

  it('are bounded in the conversation too, which then has no beginning', () => {
    const events = Array.from({ length: 20_001 }, (_, index) => event(index + 1, said(`text ${index}`)));
    const view = foldEvents(NO_VIEW, events);
    expect(view).toMatchObject({ cutOff: 'gone', last: 20_001 });
    expect(view.conversation.items).toHaveLength(10_000);
    expect(view.conversation.items.at(-1)).toMatchObject({ text: 'text 20000' });
  });

  it('start again if the log was cut', () => {
    expect(viewFrom(40, 40)).toMatchObject({ last: 39, cutOff: 'gone' });
    expect(viewFrom(40, 7)).toMatchObject({ last: 39, cutOff: 'more' });
    expect(viewFrom(1, 1)).toMatchObject({ last: 0, cutOff: 'no' });
  });

  it('give no turn the cost of unknown earlier ones', () => {
    const result = (n: number, usd: number) =>
      event(n, {
        kind: 'line',
        t: 0,
        from: 'cli',
        frame: { type: 'result', subtype: 'success', total_cost_usd: usd, uuid: `r${n}` },
      });
    const { turns } = foldEvents(viewFrom(40, 7), [result(40, 9), result(41, 9.5)]).conversation;
    expect(turns.map(({ costUsd }) => costUsd)).toEqual([0, 0.5]);
  });
});

describe('the end of a CLI', () => {
  const line = (frame: WireObject, from: 'cli' | 'host' = 'cli'): LogEvent => ({
    kind: 'line',
    t: 0,
    from,
    frame,
  });
  const stream = (part: WireObject) => line({ type: 'stream_event', event: part });
  const ended: LogEvent = { kind: 'end', t: 9, end: { reason: 'failed', error: 'The server was stopped.' } };
  const by = { client: 'c', name: 'n' };
  const crashed = foldEvents(NO_VIEW, [
    event(1, toolUse),
    event(2, stream({ type: 'message_start', message: { id: 'm2' } })),
    event(3, stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })),
    event(4, stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } })),
    event(5, line({ type: 'system', subtype: 'task_started', task_id: 'k', description: 'a task' })),
    event(6, { kind: 'queued', uuid: 'u1', content: 'next', by }),
    event(7, ended),
  ]);
  const find = (view: SessionView, id: string) => view.conversation.items.find((item) => item.id === id);

  it('leaves no tool, caret or task running, and nothing waiting', () => {
    expect(find(crashed, 't1')).toMatchObject({ state: 'cut-off' });
    expect(find(crashed, 'm2:0')).toMatchObject({ state: 'cut-off', text: 'half' });
    expect(find(crashed, 'u1')).toMatchObject({ state: 'dropped' });
    expect([...crashed.conversation.tasks.values()]).toMatchObject([{ running: false }]);
    expect(crashed.conversation.items.filter(({ kind }) => kind === 'note')).toHaveLength(1);
  });

  it('is not final: later messages from the transcript are added', () => {
    const read = (n: number, event_: LogEvent) => event(n, { ...event_, earlier: true } as LogEvent);
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'out' };
    const view = foldEvents(crashed, [
      read(8, line({ type: 'user', message: { content: [result] } })),
      read(
        9,
        line({
          type: 'assistant',
          message: { id: 'm2', content: [{ type: 'text', text: 'half and half' }] },
        }),
      ),
      read(10, line({ type: 'user', uuid: 'u1', message: { content: 'next' } }, 'host')),
      read(11, said('answer')),
    ]);
    expect(find(view, 't1')).toMatchObject({ state: 'done', result: [{ text: 'out' }] });
    expect(find(view, 'm2:0')).toMatchObject({ text: 'half and half' });
    expect(view.conversation.items.slice(-2)).toMatchObject([
      { id: 'u1', state: 'sent' },
      { text: 'answer' },
    ]);
  });
});

describe('the messages of the server', () => {
  const session = {
    id: 's1',
    title: 'one',
    cwd: '/w',
    state: 'idle',
    prompts: [] as readonly PromptView[],
  } as unknown as SessionSummary;
  const list: ServerMessage = { type: 'sessions', sessions: [session] };

  it('fold into sessions and their views', () => {
    const state = receive(NOTHING_YET, [
      list,
      event(1, said('a')),
      event(1, said('x'), 's2'),
      event(2, said('b')),
    ]);
    expect(state.listed).toBe(true);
    expect([...state.views].map(([id, { last }]) => [id, last])).toEqual([
      ['s2', 1],
      ['s1', 2],
    ]);
  });

  it('discard what was shown if numbers are missing, and nothing otherwise', () => {
    const before = receive(NOTHING_YET, [event(1, said('a'))]);
    const same = receive(before, [attached({ from: 2, last: 1 })]);
    expect(same.views.get('s1')?.conversation.items).toHaveLength(1);
    const reset = receive(before, [attached({ from: 10, first: 10, reset: true, last: 12 })]);
    expect(reset.views.get('s1')).toMatchObject({ last: 9, cutOff: 'gone', conversation: { items: [] } });
  });

  it('deliver the latest events first, and then earlier ones in one piece', () => {
    const tail = receive(NOTHING_YET, [
      attached({ from: 8, last: 9 }),
      event(8, said('h')),
      event(9, said('i')),
    ]);
    expect(tail.views.get('s1')).toMatchObject({ last: 9, cutOff: 'more' });
    const begun = receive(tail, [attached({ from: 6, last: 9 }), event(6, said('f')), event(7, said('g'))]);
    expect(begun.views.get('s1')).toBe(tail.views.get('s1'));
    // Numbers that were never assigned are skipped.
    const whole = receive(begun, [
      attached({ from: 8, last: 9 }),
      event(8, said('h')),
      event(9, said('i')),
      event(10, said('j')),
    ]);
    expect(whole.fetching.size).toBe(0);
    const view = whole.views.get('s1');
    expect(view).toMatchObject({ last: 10, cutOff: 'more' });
    expect(view?.conversation.items).toMatchObject(['f', 'g', 'h', 'i', 'j'].map((text) => ({ text })));
  });

  it('leave the view unchanged if earlier events stop arriving', () => {
    const tail = receive(NOTHING_YET, [attached({ from: 8, last: 8 }), event(8, said('h'))]);
    const begun = receive(tail, [attached({ from: 6, last: 8 }), event(6, said('f'))]);
    const back = receive(begun, [attached({ from: 9, last: 9 }), event(9, said('i'))]);
    expect(back.fetching.size).toBe(0);
    expect(back.views.get('s1')?.conversation.items).toMatchObject([{ text: 'h' }, { text: 'i' }]);
  });

  it('replace the list of a restarted server', () => {
    const state = receive(receive(NOTHING_YET, [list]), [{ type: 'sessions', sessions: [] }]);
    expect(state.sessions.size).toBe(0);
  });

  it('keep only the latest views', () => {
    const messages = Array.from({ length: 9 }, (_, index) => event(1, said('a'), `s${index}`));
    expect([...receive(NOTHING_YET, messages).views.keys()]).toEqual(['s3', 's4', 's5', 's6', 's7', 's8']);
  });

  it('report prompts that were opened and settled', () => {
    const idle = receive(NOTHING_YET, [list]);
    const asking = receive(idle, [{ type: 'session', session: { ...session, prompts: [prompt] } }]);
    expect(promptNews(idle, asking).opened).toMatchObject([{ id: 'p1', need: 'Permission: Bash: ls' }]);
    expect(promptNews(asking, idle).settled).toEqual(['p1']);
    expect(promptNews(asking, asking)).toEqual({ opened: [], settled: [] });
  });
});
