import { openSession } from '../../../src/entry/sdk/open-session.js';
import type { Session } from '../../../src/host/session/session.js';
import type { SessionOptions } from '../../../src/host/session/session-options.js';
import type { KnownRealCli } from '../../../src/lab/testing/real-cli/known-clis.js';
import { scrubbedEnvironment } from '../../../src/lab/testing/real-cli/scrubbed-environment.js';
import {
  makeThrowawayFolders,
  type ThrowawayFolders,
} from '../../../src/lab/testing/real-cli/throwaway-folders.js';
import { type ChangingModel, changingModel } from './changing-model.js';

/** A setup for sessions on a real CLI: a shared model, home and working folder. */
export interface RealPlace extends AsyncDisposable {
  readonly folders: ThrowawayFolders;
  readonly model: ChangingModel;
  /** The `openSession` options that run the CLI here and nowhere else. */
  options(own?: SessionOptions): SessionOptions;
  open(own?: SessionOptions): Promise<Session>;
  /** Waits for something that the CLI does not report, such as writing a file. */
  until(done: () => boolean): Promise<void>;
}

/** Makes a {@link RealPlace} for one CLI. */
export async function realPlace(cli: KnownRealCli): Promise<RealPlace> {
  const folders = await makeThrowawayFolders();
  const model = await changingModel();
  const options = (own: SessionOptions = {}): SessionOptions => ({
    cli: cli.path,
    cwd: folders.cwd,
    envMode: 'replace',
    settingSources: [],
    model: 'sonnet',
    ...own,
    env: scrubbedEnvironment({
      home: folders.home,
      tmp: folders.tmp,
      modelUrl: model.model.url,
      extra: { IS_SANDBOX: '1', ...own.env },
    }),
  });
  return {
    folders,
    model,
    options,
    open: (own) => openSession(options(own)),
    until: async (done) => {
      const deadline = Date.now() + 60_000;
      while (!done()) {
        if (Date.now() > deadline) throw new Error(`this did not happen within a minute: ${done}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [Symbol.asyncDispose]: async () => {
      await model.model.close();
      await folders.remove();
    },
  };
}
