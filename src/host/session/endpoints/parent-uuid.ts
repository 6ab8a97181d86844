import type { WireObject } from '../../../wire/protocol/frames.js';
import type { CliFacts } from './cli-facts.js';

/** Why a message that names the one it comes behind cannot be sent; undefined if it can, or names none. */
export function parentRefusal(
  message: WireObject,
  { capabilities }: Pick<CliFacts, 'capabilities'>,
): string | undefined {
  if (message.parentUuid === undefined || capabilities.patches.has('parentUuid')) return undefined;
  const { version } = capabilities;
  const cli = version === undefined ? 'This CLI, whose version is not known,' : `CLI ${version}`;
  return `${cli} would not put the message behind ${message.parentUuid}: only a patched CLI does (\`patched: true\`). Nothing was sent. Open a session with resume, resumeSessionAt and forkSession to go on from an earlier message.`;
}
