import { describe, expect, test } from 'vitest';
import { findInProcess } from '../../../../src/host/mcp/server-object.js';

describe('finding the in-process server in an option', () => {
  const server = { connect: async () => {} };

  test('accepts a server object, a function that creates one, and the official form with an instance', () => {
    const make = () => server;
    expect(findInProcess(server)).toBe(server);
    expect(findInProcess(make)).toBe(make);
    expect(findInProcess({ type: 'sdk', name: 'clock', instance: server })).toBe(server);
  });

  test('accepts an instance of a class', () => {
    class Server {
      async connect(): Promise<void> {}
    }
    const instance = new Server();
    expect(findInProcess(instance)).toBe(instance);
  });

  test.each([
    { command: 'node', args: ['server.mjs'] },
    { type: 'http', url: 'http://127.0.0.1:1' },
    { type: 'sdk', name: 'clock' },
    { type: 'sdk', name: 'clock', instance: {} },
    { connect: 'yes' },
    null,
    'clock',
  ])('finds none in %j', (value) => {
    expect(findInProcess(value)).toBeUndefined();
  });
});
