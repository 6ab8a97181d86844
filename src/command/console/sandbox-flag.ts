import type { Spawner } from '../../host/cli/spawner.js';
import { bubblewrap } from '../../host/spawners/bubblewrap.js';
import { container } from '../../host/spawners/container.js';
import { CoxswainError } from '../../wire/util/errors.js';

/**
 * The spawner that `--sandbox` names, after a check that it can start something here.
 * @throws CoxswainError for an unknown sandbox, image or program.
 */
export async function sandboxOf(text: string | undefined): Promise<Spawner | undefined> {
  if (text === undefined) return undefined;
  const spawner = named(text);
  const { end } = await spawner.prepare({
    ...{ file: process.execPath, cli: process.execPath, args: ['--version'], env: {} },
    ...{ cwd: spawner.hasOwnPrograms ? '.' : process.cwd(), conversation: undefined, files: [], id: 'check' },
  });
  await end?.();
  return spawner;
}

function named(text: string): Spawner {
  const [kind = '', ...rest] = text.split(':');
  const image = rest.join(':');
  if (kind === 'bubblewrap' && image === '') return bubblewrap();
  if (kind === 'container' && image !== '') return container({ image });
  if (kind === 'podman' && image !== '') return container({ image, program: 'podman' });
  throw new CoxswainError(
    'OPTION_INVALID',
    `--sandbox ${text}: use bubblewrap, container:<image> or podman:<image>.`,
  );
}
