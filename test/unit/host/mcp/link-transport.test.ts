import { expect, test } from 'vitest';
import { LinkTransport } from '../../../../src/host/mcp/link-transport.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';

function transport() {
  const sent: WireObject[] = [];
  const facts = { session: { id: 's' }, onDiagnostic: () => {} };
  const link = new LinkTransport(async (message) => {
    sent.push(message);
  }, facts);
  return { link, sent };
}

test('sends the server’s messages', async () => {
  const { link, sent } = transport();
  await link.start();
  await link.send({ method: 'ping' });
  expect(sent).toEqual([{ method: 'ping' }]);
});

test('closes once, and refuses everything afterwards', async () => {
  const { link, sent } = transport();
  let closed = 0;
  link.onclose = () => {
    closed += 1;
  };
  await link.close();
  await link.close();
  expect(closed).toBe(1);
  await expect(link.start()).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' });
  await expect(link.send({})).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' });
  expect(sent).toEqual([]);
});

test('a server that throws when it closes does no harm', async () => {
  const { link } = transport();
  link.onclose = () => {
    throw new Error('not now');
  };
  await expect(link.close()).resolves.toBeUndefined();
});
