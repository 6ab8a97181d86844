import { expect, test } from 'vitest';
import { engineOptions } from '../../../../src/command/fleet/engine-flags.js';

const warningsFor = (...nats: readonly string[]) => {
  const written: string[] = [];
  engineOptions({ nats }, { cwd: '/', env: {}, writeErr: (text) => written.push(text) });
  return written;
};

test('credentials in an address are warned of, since other users can read a command line', () => {
  for (const address of ['nats://me:pw@host', 'nats://token@host', 'tls://me:pw@host:4222']) {
    const [warning = ''] = warningsFor('nats://plain', address);
    expect(warning).toContain('NATS_PASSWORD');
    expect(warning).not.toContain('pw');
  }
});

test('addresses without them are not, in any form', () => {
  expect(warningsFor('nats://host:4222', 'host:4222', '127.0.0.1')).toEqual([]);
});
