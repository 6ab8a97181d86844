import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../src/server/fleet/engine/engine.js';
import { natsServer } from '../support/nats/nats-server.js';
import { oldNatsProgram, withOldNats } from '../support/nats/with-nats.js';

withOldNats('an engine that cannot fence', () => {
  test('is refused with what is required; after an upgrade the same store can be used', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'coxswain-nats-store-'));
    onTestFinished(() => rmSync(storeDir, { recursive: true, force: true }));
    const old = await natsServer({ program: oldNatsProgram ?? '', storeDir });
    const refused = await openEngine({ nats: old.url }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'FLEET_ENGINE_UNFIT' });
    expect(String(refused)).toMatch(
      /The NATS server 2\.\d+\.\d+ cannot run a fleet: it does not check a write/,
    );
    expect(String(refused)).toContain('Use nats-server 2.12 or newer.');
    await old.stop();
    const upgraded = await natsServer({ storeDir });
    const engine = await openEngine({ nats: upgraded.url });
    expect(engine.connection.info?.version).toMatch(/^2\.1\d/);
    await engine.close();
  });
});
