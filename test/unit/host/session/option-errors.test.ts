import { expect, test } from 'vitest';
import { openSession } from '../../../../src/entry/sdk/open-session.js';
import type { SessionOptions } from '../../../../src/host/session/session-options.js';

// Wrong options as a plain JavaScript program passes them: refused before anything starts, with the path and a fix.
test.each<[message: string, options: unknown]>([
  ['hooks.PreTooluse: no such event; did you mean PreToolUse?', { hooks: { PreTooluse: [] } }],
  [
    'hooks.PreToolUse[0].matcher: must be a string, not 5',
    { hooks: { PreToolUse: [{ matcher: 5, run() {} }] } },
  ],
  ['env.FOO: must be a string, not 5', { env: { FOO: 5 } }],
  ['mcpServers.x.comand: no such key; did you mean command?', { mcpServers: { x: { comand: 'node' } } }],
  [
    'agents.a.toolz: no such key; did you mean tools?',
    { agents: { a: { description: 'd', prompt: 'p', toolz: [] } } },
  ],
  [
    'promptTimeoutsMs.permision: no such key; did you mean permission?',
    { promptTimeoutsMs: { permision: 1 } },
  ],
  ['settingSources[0]: must be one of "user", "project", "local", not "usr"', { settingSources: ['usr'] }],
  ['"onPermission" here', { canUseTool: () => {} }],
  ['it is "cli" here', { pathToClaudeCodeExecutable: 'claude' }],
  ['pass its signal as "signal"', { abortController: new AbortController() }],
  ['this is the official SDK’s shape', { hooks: { PreToolUse: [{ hooks: [() => {}] }] } }],
])('%s', async (message, options) => {
  await expect(openSession(options as SessionOptions)).rejects.toMatchObject({
    name: 'OptionError',
    code: 'OPTION_INVALID',
    option: Object.keys(options as object)[0],
    message: expect.stringContaining(message),
  });
});
