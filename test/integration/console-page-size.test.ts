import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startEmulatedConsole } from '../support/console.js';

/** What a browser downloads before anything is opened, in bytes as transferred. */
const MOST = 400_000;
/** Smaller files are sent uncompressed. */
const SMALL = 1024;

test('the page loads less than 400 KB before anything is opened', async () => {
  const { server } = await startEmulatedConsole([]);
  const get = async (path: string) => {
    const response = await fetch(new URL(path, server.origin), { headers: { 'accept-encoding': 'gzip' } });
    expect(response.status, path).toBe(200);
    return response;
  };
  const html = await (await get('/')).text();
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  expect(files.length).toBeGreaterThan(1);
  const sizes = await Promise.all(
    files.map(async (path) => {
      const response = await get(path);
      const body = Buffer.from(await response.arrayBuffer());
      const packed = /\.(?:js|css)$/.test(path) && body.length > SMALL;
      if (packed) expect(response.headers.get('content-encoding'), path).toBe('gzip');
      return gzipSync(body).length;
    }),
  );
  const sum = sizes.reduce((so, size) => so + size, 0);
  expect(sum).toBeLessThan(MOST);
  // Check that it was found: an error page would be small too.
  expect(sum).toBeGreaterThan(50_000);
});
