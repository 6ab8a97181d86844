import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { SessionState } from '../session-state.js';

/** What the model is first told about the folder's skills, if project settings are loaded. */
export function skillNotes({ cwd, settingSources, skills: chosen }: SessionState): readonly WireObject[] {
  const folder = join(cwd, '.claude', 'skills');
  if (!settingSources.includes('project') || !existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => chosen?.includes(name) ?? true);
  const lines = names.flatMap((name) => descriptionOf(join(folder, name, 'SKILL.md'), name));
  const text = `<system-reminder>Skills:\n${lines.join('\n')}</system-reminder>`;
  return lines.length === 0 ? [] : [{ type: 'text', text }];
}

function descriptionOf(file: string, name: string): readonly string[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, description] = /^description:\s*(.+)$/m.exec(text) ?? [];
  return description === undefined ? [] : [`- ${name}: ${description}`];
}
