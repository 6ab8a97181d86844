import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Traits } from '../versions/traits.js';

/** Where a process runs. */
export interface Surrounded {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly traits: Traits;
}

/**
 * Blocks of the system prompt that a process writes again when it starts: older versions tell the model the date and the
 * state of the repository there. Newer ones keep what a conversation began with.
 */
export function surroundingsOf({ env, cwd, traits }: Surrounded): readonly WireObject[] {
  return [
    ...billingLine(traits),
    ...(traits.keepsDate ? [] : [text(`Today is ${today(env.TZ)}.`)]),
    ...(traits.keepsGitStatus || !existsSync(join(cwd, '.git')) ? [] : [text(`Files: ${readdirSync(cwd)}`)]),
  ];
}

/** A line for billing. */
function billingLine({ billingLine: line, version }: Traits): readonly WireObject[] {
  if (line === 'none') return [];
  const mark = line === 'same' ? '000' : randomBytes(2).toString('hex');
  return [text(`x-anthropic-billing-header: cc_version=${version}.${mark};`)];
}

function today(timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timeZone || undefined }).format(new Date());
}

function text(value: string): WireObject {
  return { type: 'text', text: value };
}
