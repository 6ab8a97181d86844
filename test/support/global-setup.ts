// @ts-expect-error: a script, without types
import { buildCode } from '../../scripts/lib/build-code.mjs';

/** Before the tests: makes what tests start as processes from the sources at hand, where they changed. */
export default async function setup(): Promise<void> {
  await buildCode();
}
