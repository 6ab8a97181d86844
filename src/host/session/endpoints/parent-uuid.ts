import type { WireObject } from '../../../wire/protocol/frames.js';
import type { CliFacts } from './cli-facts.js';

/** Why a message with a parent cannot be sent; undefined if it can, or has none. */
export function parentRefusal(
  message: WireObject,
  { capabilities }: Pick<CliFacts, 'capabilities'>,
): string | undefined {
  if (message.parentUuid === undefined || capabilities.patches.has('parentUuid')) return undefined;
  const { version } = capabilities;
  const cli = version === undefined ? 'This CLI of unknown version' : `CLI ${version}`;
  const patch = capabilities.canBePatchedFor('parentUuid') ? ' unless it is patched (`patched: true`)' : '';
  return `${cli} would not attach the message to ${message.parentUuid}${patch}. Nothing was sent. To continue from an earlier message, open a session with resume, resumeSessionAt and forkSession.`;
}
