import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSource } from '../../../../src/command/compat/read-source.js';
import { startCox } from '../../../support/cox.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function check(files: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { output, exitCode } = startCox(['compat', 'check', folder, ...flags]);
  return { exitCode: await exitCode, ...output };
}

const PROGRAM = `// import { prewarm } from '@anthropic-ai/claude-agent-sdk';
import { query, type Options as Own } from '@anthropic-ai/claude-agent-sdk';
const text = "it's";
for await (const message of query({
  prompt: 'options: { nothing: 1 }',
  options: { model: 'opus', hooks: { PreToolUse: [{ hooks: [] }] }, cwd, canUseTool(name) { return { name }; } },
}));
`;

describe('coxswain compat check', () => {
  test('says what to change in a covered program', async () => {
    const files = {
      'src/main.ts': PROGRAM,
      'node_modules/x/a.js': "require('@anthropic-ai/claude-agent-sdk/core')",
    };
    expect(await check(files)).toMatchObject({
      exitCode: 0,
      out: `1 file, 1 import of the official SDK.
Covered: Options, canUseTool, cwd, hooks, model, query.
Not covered: nothing.
To change:
  src/main.ts:2
  -import { query, type Options as Own } from '@anthropic-ai/claude-agent-sdk';
  +import { query, type Options as Own } from 'coxswain/compat';
`,
    });
  });

  test('says what is not covered, where and why, and exits with 10', async () => {
    const { exitCode, out } = await check({
      'a.mjs': "import {\n  unstable_v2_prompt,\n  query,\n} from '@anthropic-ai/claude-agent-sdk';\n",
      'b.cjs': "const { query } = require('@anthropic-ai/claude-agent-sdk/browser');\n",
      'c.ts':
        "import { tool } from '@anthropic-ai/claude-agent-sdk';\nconst options: Options = { temperatur: 1 };\n",
    });
    expect(exitCode).toBe(10);
    expect(out).toContain('a.mjs:1: import unstable_v2_prompt: use query()');
    expect(out).toContain('b.cjs:1: entry point /browser: it talks to');
    expect(out).toContain('c.ts:2: option temperatur (unknown): the official SDK');
    expect(out).toContain(
      "  a.mjs:4\n  -} from '@anthropic-ai/claude-agent-sdk';\n  +} from 'coxswain/compat';",
    );
  });

  test('moves the entry points that there are, and says each problem and each change once', async () => {
    const { exitCode, out } = await check({
      'a.ts': "import { query } from '@anthropic-ai/claude-agent-sdk/core';\n",
      'b.ts': "import type { BashInput } from '@anthropic-ai/claude-agent-sdk/sdk-tools.js';\n",
      'c.ts': "import { a, b } from '@anthropic-ai/claude-agent-sdk/bridge';\n",
      'd.ts': "import type { Transport } from '@anthropic-ai/claude-agent-sdk';\n",
    });
    expect({ exitCode, out }).toEqual({
      exitCode: 10,
      out: `4 files, 4 imports of the official SDK.
Covered: BashInput, Transport, query.
Not covered:
  c.ts:1: entry point /bridge: it connects to the vendor’s cloud, which uses a protocol that only the vendor serves.
To change:
  a.ts:1
  -import { query } from '@anthropic-ai/claude-agent-sdk/core';
  +import { query } from 'coxswain/compat/core';
  b.ts:1
  -import type { BashInput } from '@anthropic-ai/claude-agent-sdk/sdk-tools.js';
  +import type { BashInput } from 'coxswain/compat/sdk-tools';
  d.ts:1
  -import type { Transport } from '@anthropic-ai/claude-agent-sdk';
  +import type { Transport } from 'coxswain/compat';
`,
    });
  });

  test('a line with two imports is one change', async () => {
    const both =
      "import { query } from '@anthropic-ai/claude-agent-sdk'; import { tool } from '@anthropic-ai/claude-agent-sdk';";
    const { out } = await check({ 'a.ts': both });
    const moved = both.replaceAll('@anthropic-ai/claude-agent-sdk', 'coxswain/compat');
    expect(out.split('To change:\n')[1]).toBe(`  a.ts:1\n  -${both}\n  +${moved}\n`);
  });

  test('prints JSON, and says if there is nothing to move', async () => {
    expect(JSON.parse((await check({ 'a.ts': PROGRAM }, '--json')).out)).toMatchObject({
      schema: 1,
      files: 1,
      changes: [{ file: 'a.ts', line: 2 }],
    });
    rmSync(join(folder, 'a.ts'));
    expect(await check({ 'b.ts': "const a = '/*';" })).toMatchObject({
      exitCode: 0,
      out: '1 file; none imports the official SDK.\n',
    });
  });

  test('finds every name and option of a whole program', () => {
    const text = readFileSync('test/fixtures/compat/typed-program.ts', 'utf8');
    const moved = text.replace('../../../src/entry/compat/index.js', '@anthropic-ai/claude-agent-sdk');
    const { uses } = readSource(moved);
    const names = (kind: string) => uses.filter((use) => use.kind === kind).map(({ name }) => name);
    expect(names('import')).toHaveLength(19);
    expect(names('option')).toEqual(
      expect.arrayContaining(['model', 'systemPrompt', 'mcpServers', 'plugins']),
    );
    expect(names('option')).not.toContain('preset');
  });
});
