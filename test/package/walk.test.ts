import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const page = readFileSync('ARCHITECTURE.md', 'utf8');

/** The numbered steps of a section: file, and function or method. */
function stepsOf(title: string): readonly { readonly file: string; readonly place: string }[] {
  const section = page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const steps = section.matchAll(/^\d+\. `([^`]+)`, `([^`]+)`/gm);
  return [...steps].map(([, file = '', place = '']) => ({ file, place }));
}

/** Whether a text declares a function, or a class with a method of that name. */
function declares(text: string, place: string): boolean {
  const [owner = '', method] = place.split('.');
  if (method === undefined) return new RegExp(`^export (?:async )?function ${owner}\\b`, 'm').test(text);
  const body = text.split(new RegExp(`^export class ${owner}\\b`, 'm'))[1];
  return body !== undefined && new RegExp(`^ {2}(?:async )?${method}(?:<.*>)?\\(`, 'm').test(body);
}

const WALKS = [
  'From the CLI to the host',
  'From the host to the CLI',
  'From HTTP to a CLI',
  'From a prompt to its answer',
  'A take-over on a fleet',
];

describe.each(WALKS)('the walk "%s"', (title) => {
  test('has at most twelve steps, each with a file and a function', () => {
    const numbered =
      page
        .split(`\n## ${title}\n`)[1]
        ?.split('\n## ')[0]
        ?.match(/^\d+\. /gm) ?? [];
    expect(stepsOf(title)).toHaveLength(numbered.length);
    expect(numbered.length).toBeGreaterThan(5);
    expect(numbered.length).toBeLessThanOrEqual(12);
  });

  test.each(stepsOf(title))('$file has $place', ({ file, place }) => {
    expect(existsSync(file)).toBe(true);
    expect(declares(readFileSync(file, 'utf8'), place)).toBe(true);
  });
});
