import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkFrame,
  checkRequest,
  formatIssue,
} from '../../../../../src/wire/protocol/catalog/check.schemas.js';

const fromHost = { from: 'host' } as const;
const fromCli = { from: 'cli' } as const;

const read = (raw: unknown, options: Parameters<typeof checkFrame>[1]) =>
  checkFrame(raw, options).map(formatIssue);
const request = (body: unknown) => ({ type: 'control_request', request_id: 'r1', request: body });
const success = (response?: unknown) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: 'r1', ...(response === undefined ? {} : { response }) },
});

describe('checkRequest', () => {
  it('reads a misspelt field as one missing and one unknown', () => {
    const body = { subtype: 'set_permission_mode', permission_mode: 'plan' };
    expect(checkRequest(body, fromHost).map(formatIssue)).toEqual([
      'mode: missing',
      'permission_mode: unknown-key',
    ]);
  });

  it('accepts what the catalog describes', () => {
    expect(checkRequest({ subtype: 'set_permission_mode', mode: 'plan' }, fromHost)).toEqual([]);
    expect(checkRequest({ subtype: 'set_model', model: null }, fromHost)).toEqual([]);
    expect(checkRequest({ subtype: 'get_settings' }, fromHost)).toEqual([]);
  });

  it('distinguishes a wrong type from a wrong value', () => {
    expect(checkRequest({ subtype: 'set_model', model: 7 }, fromHost).map(formatIssue)).toEqual([
      'model: wrong-type',
    ]);
    expect(checkRequest({ subtype: 'set_permission_mode', mode: 'yolo' }, fromHost).map(formatIssue)).toEqual(
      ['mode: wrong-value'],
    );
  });

  it('knows a subtype only in its own direction', () => {
    expect(checkRequest({ subtype: 'can_use_tool' }, fromHost).map(formatIssue)).toEqual([
      'subtype: unknown',
    ]);
    expect(checkRequest({ subtype: 'set_model' }, fromCli).map(formatIssue)).toEqual(['subtype: unknown']);
  });

  it.each([null, 7, 'x', []])('reports %j as not a body', (body) => {
    expect(checkRequest(body, fromHost).map(formatIssue)).toEqual(['wrong-type']);
  });

  it('reports a body without subtype', () => {
    expect(checkRequest({}, fromHost).map(formatIssue)).toEqual(['subtype: missing']);
  });
});

describe('checkFrame', () => {
  it('reports an unknown name exactly once, whatever it contains', () => {
    expect(read(request({ subtype: 'future', a: 1, b: 2 }), fromHost)).toEqual(['request.subtype: unknown']);
    expect(read({ type: 'future', a: 1 }, fromCli)).toEqual(['type: unknown']);
    expect(read({ type: 'system', subtype: 'future', a: 1 }, fromCli)).toEqual(['type: unknown']);
    expect(read(request({ subtype: 'constructor' }), fromCli)).toEqual(['request.subtype: unknown']);
  });

  it('gives paths into nested values', () => {
    const body = {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command: 'ls', anything: 1 },
      tool_use_id: 't1',
      permission_suggestions: [{ type: 'setMode', mode: 'plan', destination: 'session', extra: 1 }],
    };
    expect(read(request(body), fromCli)).toEqual(['request.permission_suggestions[0].extra: unknown-key']);
  });

  it('checks the input of a hook by its event', () => {
    const input = { session_id: 's', transcript_path: '/t', cwd: '/', hook_event_name: 'Stop', novelty: 1 };
    const body = { subtype: 'hook_callback', callback_id: 'hook_0', input };
    expect(read(request(body), fromCli)).toEqual([
      'request.input.stop_hook_active: missing',
      'request.input.novelty: unknown-key',
    ]);
    const unheard = { ...body, input: { ...input, hook_event_name: 'Unheard' } };
    expect(read(request(unheard), fromCli)).toEqual(['request.input.hook_event_name: unknown']);
    expect(read(request({ ...body, input: 7 }), fromCli)).toEqual(['request.input: wrong-type']);
  });

  it('checks an answer against its request', () => {
    const toStatus = { from: 'cli', answerTo: 'mcp_status' } as const;
    expect(read(success({ mcpServers: [] }), toStatus)).toEqual([]);
    expect(read(success({ servers: [] }), toStatus)).toEqual([
      'response.response.mcpServers: missing',
      'response.response.servers: unknown-key',
    ]);
    expect(read(success({ behavior: 'deny' }), { from: 'host', answerTo: 'can_use_tool' })).toEqual([
      'response.response.message: missing',
    ]);
    expect(read(success({ behavior: 'maybe' }), { from: 'host', answerTo: 'can_use_tool' })).toEqual([
      'response.response.behavior: wrong-value',
    ]);
    expect(read(success({}), { from: 'cli', answerTo: 'future' })).toEqual(['response.response: unknown']);
  });

  it('accepts a plain ack if no value is required', () => {
    expect(read(success(), { from: 'cli', answerTo: 'set_model' })).toEqual([]);
    expect(read(success(), { from: 'cli', answerTo: 'cancel_async_message' })).toEqual([
      'response.response.cancelled: missing',
    ]);
  });

  it('checks only the envelope if the request is unknown, or the answer is an error', () => {
    expect(read(success({ whatever: 1 }), fromCli)).toEqual([]);
    const refusal = { subtype: 'error', request_id: 'r1', error: 'no', error_code: 'x', odd: 1 };
    expect(
      read({ type: 'control_response', response: refusal }, { from: 'cli', answerTo: 'set_model' }),
    ).toEqual(['response.odd: unknown-key']);
    expect(read({ type: 'control_response' }, fromCli)).toEqual(['response: missing']);
    expect(read({ type: 'control_request', request_id: 'r1' }, fromHost)).toEqual(['request: missing']);
  });

  it('reports unknown words of an open set, without calling them wrong', () => {
    const status = { type: 'system', subtype: 'status', status: 'dreaming', uuid: 'u', session_id: 's' };
    expect(read(status, fromCli)).toEqual(['status: unknown-value']);
    expect(read({ ...status, status: null }, fromCli)).toEqual([]);
  });

  it('reports unknown kinds of blocks, without calling them wrong', () => {
    const content = [{ type: 'text', text: 'hi' }, { type: 'hologram', data: 1 }, { type: 'text' }];
    const user = { type: 'user', message: { role: 'user', content } };
    expect(read(user, fromHost)).toEqual(['message.content: wrong-type']);
    const known = { type: 'user', message: { role: 'user', content: content.slice(0, 2) } };
    expect(read(known, fromHost)).toEqual(['message.content[1].type: unknown-value']);
  });

  it('accepts small control frames', () => {
    expect(read({ type: 'keep_alive', startup_mark: 'x' }, fromCli)).toEqual([]);
    expect(read({ type: 'control_cancel_request' }, fromCli)).toEqual(['request_id: missing']);
  });

  it.each([null, 7, 'x', [], undefined])('reports %j as not a frame', (raw) => {
    expect(read(raw, fromCli)).toEqual(['wrong-type']);
  });

  it('reports a frame without type', () => {
    expect(read({}, fromCli)).toEqual(['type: missing']);
  });

  it('never throws, whatever it is given', () => {
    const types = fc.constantFrom('control_request', 'control_response', 'system', 'user', 'assistant');
    const frames = fc.record({ type: types, request: fc.jsonValue(), response: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), frames), fc.constantFrom('host', 'cli'), (raw, from) => {
        expect(Array.isArray(checkFrame(raw, { from, answerTo: 'initialize' }))).toBe(true);
      }),
    );
  });
});
