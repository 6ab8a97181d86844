import type { PatchPlan } from '../../host/patches/prepare.js';
import { plain } from '../../wire/util/plain.js';
import type { Look } from '../terminal/look.js';
import type { PatchVerdict } from './verify.js';

/** A patch as it is listed. */
export interface ListedPatch {
  readonly id: string;
  readonly description: string;
  readonly priority: number;
  readonly required: boolean;
}

/** The patches for people, in order. */
export function listText(patches: readonly ListedPatch[]): string {
  const lines = patches.map(
    ({ id, description, priority, required }) =>
      `${String(priority).padStart(4)}  ${id}${required ? ' (required)' : ''}: ${plain(description)}`,
  );
  return `${lines.join('\n')}\n`;
}

/** What patching does, for people. */
export function planText({ from, version, path, written, reports }: PatchPlan, look: Look): string {
  const lines = [
    `CLI ${look.bold(plain(from))}, version ${version ?? 'unknown'}`,
    `copy ${plain(path)}${written ? '' : ' (does not exist yet: run coxswain patch apply)'}`,
    '',
    ...reports.map(({ id, success, details }) =>
      signed(success, `${id}: ${plain(details.join('; '))}`, look),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the probes found, for people. */
export function verdictsText(verdicts: readonly PatchVerdict[], look: Look): string {
  const lines = verdicts.map(({ patch, what, ok, seen }) =>
    signed(ok, `${patch}: ${what} (${plain(seen)})`, look),
  );
  return `Tried on the running copy:\n${lines.join('\n')}\n`;
}

function signed(good: boolean, text: string, look: Look): string {
  return `${good ? look.green(look.good) : look.red(look.bad)} ${text}`;
}
