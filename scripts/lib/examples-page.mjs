// examples/README.md: every program with its first line, which says what it shows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOTICE, page } from './markdown.mjs';

export function examplesPage(folder) {
  const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const lines = programs.map((name) => {
    const [first] = readFileSync(join(folder, name), 'utf8').split('\n');
    return `- [${name}](${name}): ${first.replace(/^\/\/ /, '')}`;
  });
  return page(
    '# Examples',
    NOTICE,
    'Every program runs without a key, checks itself, and is run by the tests. Most use the emulated CLI of\n' +
      '`coxswain/testing`; remove that line, and they talk to your own CLI.',
    lines.join('\n'),
  );
}
