import { describe, expect, it } from 'vitest';
import { cutView, foldEvents, NO_VIEW } from '../../../../console-ui/console/model/view.js';
import { promptNews } from '../../../../console-ui/console/store/notify.js';
import { NOTHING_YET, receive } from '../../../../console-ui/console/store/state.js';
import type {
  LogEvent,
  PromptView,
  ServerMessage,
  SessionEvent,
  SessionSummary,
} from '../../../../src/entry/remote/contract.js';

const event = (n: number, log: LogEvent, session = 's1'): SessionEvent => ({
  type: 'event',
  session,
  n,
  at: n,
  event: log,
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
  it('count once, however often they come', () => {
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
    expect(view.prompts.size).toBe(0);
  });

  it('show messages that wait, and those that were taken back', () => {
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

  it('say how a CLI ended, with its last words', () => {
    const end = { reason: 'exited', code: 1, signal: null, stderrTail: 'no such model' } as const;
    const { items } = foldEvents(NO_VIEW, [event(1, { kind: 'end', t: 0, end })]).conversation;
    expect(items).toMatchObject([
      { kind: 'note', level: 'error', text: 'The CLI ended with code 1.\nno such model' },
    ]);
  });

  it('keep lines read from the disk out of the wire', () => {
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
    expect(view).toMatchObject({ cutOff: true, last: 20_001 });
    expect(view.conversation.items).toHaveLength(10_000);
    expect(view.conversation.items.at(-1)).toMatchObject({ text: 'text 20000' });
  });

  it('begin anew where the log was cut', () => {
    expect(cutView(40)).toMatchObject({ last: 39, cutOff: true });
    expect(cutView(1)).toMatchObject({ last: 0, cutOff: false });
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

  it('forget what was shown when numbers are gone, and nothing otherwise', () => {
    const before = receive(NOTHING_YET, [event(1, said('a'))]);
    const same = receive(before, [{ type: 'attached', session: 's1', from: 2, reset: false, last: 1 }]);
    expect(same.views.get('s1')?.conversation.items).toHaveLength(1);
    const reset = receive(before, [{ type: 'attached', session: 's1', from: 10, reset: true, last: 12 }]);
    expect(reset.views.get('s1')).toMatchObject({ last: 9, cutOff: true, conversation: { items: [] } });
  });

  it('replace the list of a server that was started anew', () => {
    const state = receive(receive(NOTHING_YET, [list]), [{ type: 'sessions', sessions: [] }]);
    expect(state.sessions.size).toBe(0);
  });

  it('keep only some views, the latest', () => {
    const messages = Array.from({ length: 9 }, (_, index) => event(1, said('a'), `s${index}`));
    expect([...receive(NOTHING_YET, messages).views.keys()]).toEqual(['s3', 's4', 's5', 's6', 's7', 's8']);
  });

  it('tell of prompts that opened and that were settled', () => {
    const idle = receive(NOTHING_YET, [list]);
    const asking = receive(idle, [{ type: 'session', session: { ...session, prompts: [prompt] } }]);
    expect(promptNews(idle, asking).opened).toMatchObject([{ id: 'p1', need: 'Permission: Bash: ls' }]);
    expect(promptNews(asking, idle).settled).toEqual(['p1']);
    expect(promptNews(asking, asking)).toEqual({ opened: [], settled: [] });
  });
});
