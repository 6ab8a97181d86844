import { describe, expect, expectTypeOf, test } from 'vitest';
import type { PermissionMode } from '../../../../../src/host/cli/options/cli-options.js';
import { Controls } from '../../../../../src/host/session/controls/controls.js';
import { type HostRequestName, hostRequests } from '../../../../../src/wire/protocol/catalog/catalog.js';
import { checkRequest, formatIssue } from '../../../../../src/wire/protocol/catalog/check.schemas.js';
import { hostRequestSchemas } from '../../../../../src/wire/protocol/catalog/host.schemas.js';
import { ack } from '../../../../../src/wire/protocol/catalog/shapes/values-shapes.schemas.js';
import { methodTable } from './method-table.js';
import { RecordingControls } from './recording-controls.js';

/** Requests without their own method, and why. */
const WITHOUT_METHOD: Partial<Readonly<Record<HostRequestName, string>>> = {
  initialize: 'the handshake sends it',
  claim_session: 'takes the place of the handshake on a process that was started in advance',
  interrupt: 'session.interrupt() minds the turns as well',
  end_session: 'session.close() ends the CLI and all it started; from inside it would look like a crash',
  mcp_message: 'carries the messages of in-process servers',
  mcp_set_servers: 'mcp.set(), mcp.add() and mcp.remove() mind the servers of the host',
  mcp_reconnect: 'mcp.reconnect() chooses what the current CLI supports',
  mcp_toggle: 'mcp.enable() and mcp.disable() choose what the current CLI supports',
  mcp_tools: 'mcp.tools() chooses what the current CLI supports',
  mcp_enable: 'mcp.enable() chooses what the current CLI supports',
  mcp_disable: 'mcp.disable() chooses what the current CLI supports',
  agent_run_to_background: 'background() chooses what the current CLI supports',
  get_chrome_status: 'chrome.status() chooses what the current CLI supports',
  set_proactive: 'nobody serves it',
};

/** Methods that choose what the current CLI supports; test/unit/session/endpoints and …/mcp test them. */
const RESOLVED = [
  'mcp.servers',
  'supports',
  'background',
  'mcp.set',
  'mcp.add',
  'mcp.remove',
  'mcp.reconnect',
  'mcp.enable',
  'mcp.disable',
  'mcp.tools',
  'chrome.status',
  'chrome.reconnect',
];

const options = { deadlineMs: 7, signal: new AbortController().signal };

describe.each(methodTable)('$method', ({ subtype, params, send }) => {
  test(`sends ${subtype} with ${JSON.stringify(params)}`, async () => {
    const controls = new RecordingControls();
    await send(controls, options);
    expect(controls.sent).toStrictEqual([{ subtype, params, options }]);
    expect(checkRequest({ subtype, ...params }, { from: 'host' }).map(formatIssue)).toEqual([]);
  });

  test('returns the answer in camelCase, or nothing if the CLI only acknowledges', async () => {
    const answer = await send(new RecordingControls({ some_key: { inner_key: 1 } }), options);
    const carriesNothing =
      hostRequests[subtype].answer === 'ack' || hostRequestSchemas[subtype].answer === ack;
    expect(answer).toEqual(carriesNothing ? undefined : { someKey: { inner_key: 1 } });
  });
});

describe('the methods', () => {
  test('cover every request of the catalog except those with a reason', () => {
    const covered = new Set<string>(methodTable.map(({ subtype }) => subtype));
    expect([...covered].filter((subtype) => subtype in WITHOUT_METHOD)).toEqual([]);
    expect([...covered, ...Object.keys(WITHOUT_METHOD)].toSorted()).toEqual(
      Object.keys(hostRequests).toSorted(),
    );
  });

  test('are all in the table, and one request has one method', () => {
    expect(new Set([...methodTable.map(({ method }) => method), ...RESOLVED])).toEqual(new Set(allMethods()));
    const pairs = new Set(methodTable.map(({ method, subtype }) => `${subtype} ${method}`));
    const shared = [...pairs]
      .map((pair) => pair.split(' ')[0])
      .filter((name, at, all) => all.indexOf(name) < at);
    expect(shared).toEqual([]);
  });

  test('work without options', async () => {
    const controls = new RecordingControls();
    await controls.mcp.status();
    await controls.rewind('m');
    await controls.mcp.call('mcp__x__y');
    expect(controls.sent.map(({ params }) => params)).toEqual([
      {},
      { user_message_id: 'm' },
      { tool: 'mcp__x__y' },
    ]);
  });
});

describe('mcp.call', () => {
  test('waits longer than the tool may run, unless a deadline is given', async () => {
    const controls = new RecordingControls();
    await controls.mcp.call('mcp__x__y', {}, { timeoutMs: 300_000 });
    await controls.mcp.call('mcp__x__y', {}, { timeoutMs: 300_000, deadlineMs: undefined });
    await controls.mcp.call('mcp__x__y', {}, { timeoutMs: 300_000, deadlineMs: 5 });
    const [patient, unsaid, hurried] = controls.sent.map(({ options }) => options?.deadlineMs ?? 0);
    expect(patient).toBeGreaterThan(300_000);
    expect(unsaid).toBe(patient);
    expect(hurried).toBe(5);
  });
});

describe('types', () => {
  test('answers are those of the catalog, their own keys in camelCase', () => {
    const controls = new RecordingControls();
    expectTypeOf(controls.tasks.output('t')).resolves.toHaveProperty('totalBytes').toEqualTypeOf<number>();
    expectTypeOf(controls.mcp.set({}))
      .resolves.toHaveProperty('errors')
      .toEqualTypeOf<Readonly<Record<string, string>>>();
    expectTypeOf(controls.tasks.stop('x')).resolves.toEqualTypeOf<void>();
    expectTypeOf(controls.setPermissionMode).parameter(0).toEqualTypeOf<PermissionMode>();
  });

  test('control() is typed for what the catalog knows and open for the rest', () => {
    const controls = new RecordingControls();
    expectTypeOf(controls.control('get_task_output', { task_id: 't' }))
      .resolves.toHaveProperty('total_bytes')
      .toEqualTypeOf<number>();
    expectTypeOf(controls.control('from_the_future', { any: 1 })).resolves.toEqualTypeOf<
      Readonly<Record<string, unknown>>
    >();
    // @ts-expect-error: the key is `mode`
    void controls.control('set_permission_mode', { permission_mode: 'plan' });
    // A workaround: a name that is only a string.
    void controls.control<string>('set_permission_mode', { permission_mode: 'plan' });
    expect(controls.sent).toHaveLength(4);
  });
});

function allMethods(): string[] {
  const controls = new RecordingControls();
  const groups = Object.entries(controls).filter(([name]) => name !== 'sent');
  return [
    ...methodsOf(Controls.prototype),
    ...groups.flatMap(([group, value]) =>
      methodsOf(Object.getPrototypeOf(value)).map((name) => `${group}.${name}`),
    ),
  ];
}

function methodsOf(prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
}
