import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sdk } from './program.js';

const ENTRY = resolve('test/peers/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');

/** The official SDK as a black box; a test that needs it and cannot have it says so. */
export async function officialSdk(skip: (reason: string) => never): Promise<Sdk> {
  if (!existsSync(ENTRY))
    skip('the official SDK is not installed in test/peers (see the npm error above, or run npm test)');
  return await import(pathToFileURL(ENTRY).href);
}
