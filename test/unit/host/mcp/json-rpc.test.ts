import { describe, expect, test } from 'vitest';
import { cancelledId, cancelledNotification, readRpc, rpcError } from '../../../../src/host/mcp/json-rpc.js';

describe('reading a JSON-RPC message', () => {
  test('distinguishes requests, notifications and responses by their keys', () => {
    expect(readRpc({ jsonrpc: '2.0', id: 1, method: 'ping' })).toMatchObject({ kind: 'request', id: 1 });
    expect(readRpc({ method: 'notifications/initialized' })).toMatchObject({ kind: 'notification' });
    expect(readRpc({ id: 'a', result: {} })).toMatchObject({ kind: 'response', id: 'a' });
    expect(readRpc({ id: 2, error: { code: 1, message: 'no' } })).toMatchObject({ kind: 'response', id: 2 });
  });

  test('accepts 0 and the empty string as ids', () => {
    expect(readRpc({ id: 0, method: 'initialize' })).toMatchObject({ kind: 'request', id: 0 });
    expect(readRpc({ id: '', result: null })).toMatchObject({ kind: 'response', id: '' });
  });

  test('treats a message with a null id and a method as a notification', () => {
    expect(readRpc({ id: null, method: 'ping' })).toMatchObject({ kind: 'notification', method: 'ping' });
  });

  test.each([undefined, null, 7, 'text', [], {}, { id: 1 }, { id: null, result: {} }, { method: 4 }])(
    'rejects %j',
    (value) => {
      expect(readRpc(value)).toBeUndefined();
    },
  );
});

test('a cancellation names the request that it withdraws', () => {
  const notification = cancelledNotification(0, 'interrupted');
  expect(readRpc(notification)).toMatchObject({ kind: 'notification', method: 'notifications/cancelled' });
  expect(cancelledId(notification)).toBe(0);
  expect(cancelledId({ params: { requestId: null } })).toBeUndefined();
  expect(cancelledId({})).toBeUndefined();
});

test('an error response carries id, code and text', () => {
  expect(rpcError('x', -1, 'no')).toEqual({ jsonrpc: '2.0', id: 'x', error: { code: -1, message: 'no' } });
});
