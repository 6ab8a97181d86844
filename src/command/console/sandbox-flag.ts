import { resolve } from 'node:path';
import type { Spawner } from '../../host/cli/spawner.js';
import { bubblewrap } from '../../host/spawners/bubblewrap.js';
import { container } from '../../host/spawners/container.js';
import { checkShown } from '../../host/spawners/hidden-folders.js';
import { stateFolder } from '../../server/console/state-folder.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { CommandContext } from '../command-context.js';

interface SandboxFlags {
  readonly sandbox?: string;
  readonly root?: readonly string[];
  readonly state?: string;
}

/**
 * The spawner that `--sandbox` names, after a check that it can start something in the folders of the sessions.
 * @throws CoxswainError for an unknown sandbox, image or program, or a folder that would show what it hides.
 */
export async function sandboxOf(
  { sandbox, root = ['.'], state }: SandboxFlags,
  { cwd: here, env }: Pick<CommandContext, 'cwd' | 'env'>,
): Promise<Spawner | undefined> {
  if (sandbox === undefined) return undefined;
  const spawner = named(sandbox);
  const hidden = state === undefined ? stateFolder(env) : resolve(here, state);
  for (const cwd of root.map((each) => resolve(here, each))) {
    checkShown(cwd, spawner.name, { more: [hidden] });
    const { end } = await spawner.prepare({
      ...{ file: process.execPath, cli: process.execPath, args: ['--version'], env: {}, cwd, id: 'check' },
      ...{ conversation: undefined, files: [], writable: [], readable: [] },
    });
    await end?.();
  }
  return spawner;
}

function named(text: string): Spawner {
  const [kind = '', ...rest] = text.split(':');
  const image = rest.join(':');
  if (text === 'bubblewrap') return bubblewrap();
  if (text === 'bubblewrap:model') return bubblewrap({ network: 'model' });
  if (text === 'bubblewrap:off') return bubblewrap({ network: 'off' });
  if (kind === 'container' && image !== '') return container({ image });
  if (kind === 'podman' && image !== '') return container({ image, program: 'podman' });
  throw new CoxswainError(
    'OPTION_INVALID',
    `--sandbox ${text}: use bubblewrap, bubblewrap:model, bubblewrap:off, container:<image> or podman:<image>.`,
  );
}
