// @ts-expect-error: a script, without types
import { buildCode } from '../../scripts/lib/build-code.mjs';

/** Before the tests: builds the programs that tests start, if the sources changed. */
export default async function setup(): Promise<void> {
  await buildCode();
}
