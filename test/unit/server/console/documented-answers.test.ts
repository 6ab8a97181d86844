import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerBody } from '../../../../src/server/console/api/shapes.schemas.js';

test('every documented answer to a prompt exists, and every answer is documented', () => {
  const page = readFileSync('docs/reference/console-protocol.md', 'utf8');
  const [, row = ''] = /^\| `answer` \| (.*) \|$/m.exec(page) ?? [];
  const named = row.replaceAll(/\([^)]*\)/g, '').matchAll(/`([^`]+)`/g);
  const known = answerBody.options.flatMap(({ shape }) => [...shape.answer.values]);
  // HTTP does not take the wire's own format.
  expect([...named].map(([, name]) => name).sort()).toEqual([...known, 'raw'].sort());
});
