import type { DenialItem } from '../../wire/protocol/reading/items.js';

/** A call that was refused without asking: `Bash denied by auto mode: …`. */
export function denialText({ tool, by, why, reason }: DenialItem): string {
  const who = by === 'classifier' ? ' by auto mode' : by === undefined ? '' : ` by a ${by}`;
  const because = why ?? reason;
  return `${tool} denied${who}${because === undefined ? '' : `: ${because}`}`;
}
