// What the emulated CLI plays for the console's screenshots: a bit of everything, in one conversation.
import {
  askQuestion,
  assistantText,
  assistantToolUse,
  onUser,
  question,
  say,
  send,
  startTask,
  toolResult,
  useTool,
} from '../../../src/lab/testing/index.ts';

const AGENT = 'toolu_agent_1';

const [RED, GREEN, DIM, BOLD] = [31, 32, 2, 1].map((code) => (text) => `\u001b[${code}m${text}\u001b[0m`);
const TESTS = [
  ` ${GREEN('✓')} test/feed.test.ts ${DIM('(3 tests) 4 ms')}`,
  ` ${RED('❯')} test/slug.test.ts ${DIM('(2 tests | ')}${RED('1 failed')}${DIM(') 9 ms')}`,
  `   ${GREEN('✓')} spaces become dashes ${DIM('1 ms')}`,
  `   ${RED('× accents go, letters stay 6 ms')}`,
  `     ${RED("expected 'stra-e-am-caf-' to be 'strasse-am-cafe'")}`,
  '',
  `${BOLD('      Tests')}  ${RED('1 failed')} ${DIM('|')} ${GREEN('4 passed')} ${DIM('(5)')}`,
].join('\n');

const PLAN = `## Plan

1. Read how \`slugify\` treats accents today
2. Normalise to NFKD and drop combining marks
3. Add tests for **é**, **ü** and **ß**

Nothing outside \`src/slug.ts\` changes.`;

/** The conversation; it ends at a permission prompt. */
export function consoleStory() {
  return [
    onUser([
      say({ type: 'thinking', thinking: 'The test fails for accents, so normalising comes first.' }),
      say('I will look at the function and its tests first.'),
      useTool(
        'Read',
        { file_path: '/home/ada/code/blog/src/slug.ts' },
        {
          result:
            "1\texport function slugify(title: string) {\n2\t  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');\n3\t}",
        },
      ),
      ...explore(),
      send(assistantToolUse('Bash', { command: 'npx vitest run slug' }, { toolUseId: 'toolu_tests_1' })),
      send(toolResult('toolu_tests_1', `Exit code 1\n${TESTS}`, { isError: true })),
      say(`The cause is clear: everything outside \`a-z0-9\` is replaced, so **é** is lost instead of becoming **e**.

| input | now | wanted |
|---|---|---|
| Café | \`caf-\` | \`cafe\` |
| Straße | \`stra-e\` | \`strasse\` |

\`\`\`ts
title.normalize('NFKD').replace(/\\p{M}/gu, '')
\`\`\`

- callers need no change
- [Unicode normalisation](https://unicode.org/reports/tr15/) has the details`),
      useTool(
        'Edit',
        {
          file_path: '/home/ada/code/blog/src/slug.ts',
          old_string:
            "export function slugify(title: string) {\n  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');\n}",
          new_string:
            "export function slugify(title: string) {\n  const plain = title.normalize('NFKD').replace(/\\p{M}/gu, '').replaceAll('ß', 'ss');\n  return plain.toLowerCase().replace(/[^a-z0-9]+/g, '-');\n}",
        },
        { result: 'The file was updated.' },
      ),
      say('That is the change. The tests will tell.'),
    ]),
    onUser([
      startTask('b1', { description: 'npm run dev', type: 'local_bash' }),
      say('I start the tests now.'),
      useTool(
        'Bash',
        { command: 'npm test -- slug', description: 'Run the tests of slugify' },
        {
          ask: true,
          result: '12 passed',
          prompt: { permission_suggestions: [ALWAYS], description: 'Run the tests of slugify' },
        },
      ),
      say('All 12 tests pass.'),
    ]),
  ];
}

/** A subagent with one tool call of its own. */
function explore() {
  const inside = { parent_tool_use_id: AGENT };
  const input = {
    description: 'Find callers of slugify',
    subagent_type: 'Explore',
    prompt: 'Who calls slugify?',
  };
  return [
    send(assistantToolUse('Task', input, { toolUseId: AGENT })),
    send(assistantToolUse('Grep', { pattern: 'slugify\\(' }, { toolUseId: 'toolu_grep_1' }, inside)),
    send(toolResult('toolu_grep_1', 'src/post.ts:8\nsrc/feed.ts:21', { parentToolUseId: AGENT })),
    send(assistantText('Two callers, both with plain titles.', {}, inside)),
    send(toolResult(AGENT, 'Two callers: src/post.ts and src/feed.ts.')),
  ];
}

/** A conversation that ends at a form of questions. */
export function questionStory() {
  return [
    onUser([
      say('Two things are open before I begin.'),
      askQuestion([
        question(
          'Which database should the service use?',
          [
            { label: 'PostgreSQL', description: 'What the other services run on' },
            { label: 'SQLite', description: 'No server; one file' },
          ],
          { header: 'Database' },
        ),
        question(
          'What should be logged?',
          [
            { label: 'Requests', description: 'Method, path and time' },
            { label: 'Queries', description: 'Statement and time' },
            { label: 'Errors', description: 'With their stack' },
          ],
          { header: 'Logging', multiSelect: true },
        ),
      ]),
      say('Thank you.'),
    ]),
  ];
}

/** A conversation that ends at a plan. */
export function planStory() {
  return [
    onUser([
      say('Here is what I would do.'),
      useTool('ExitPlanMode', { plan: PLAN }, { ask: true, result: 'approved' }),
      say('I begin.'),
    ]),
  ];
}

const ALWAYS = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
  behavior: 'allow',
  destination: 'session',
};
