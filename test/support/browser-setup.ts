import type { TestProject } from 'vitest/node';
import { launchBrowserServer } from './browser.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this test run can be reached. */
    browserEndpoint?: string;
  }
}

/** Starts one browser for all files of a run; each test has its own contexts. */
export default async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const server = await launchBrowserServer();
  if (server === undefined) return undefined;
  provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
}
