// Misspelt names do not compile.
import {
  type CliOptions,
  type EnvMode,
  openSession,
  type PermissionMode,
  type PermissionUpdate,
  type SettingSource,
} from 'coxswain';
import { type Same, sure } from './expect.js';

await using session = await openSession();

// @ts-expect-error there is no such event
session.on('mesage', () => {});
// @ts-expect-error a server needs `command` or `url`
await openSession({ mcpServers: { x: { comand: 'node' } } });
// @ts-expect-error `arg` is `args`
await openSession({ mcpServers: { x: { command: 'node', arg: [] } } });
await openSession({ mcpServers: { x: { command: 'node', args: ['server.js'] } } });
await openSession({ mcpServers: { x: { type: 'http', url: 'http://127.0.0.1:1' } } });
// @ts-expect-error `toolz` is `tools`
await openSession({ agents: { a: { description: 'd', prompt: 'p', toolz: [] } } });
await openSession({ agents: { a: { description: 'd', prompt: 'p', tools: ['Read'] } } });
// @ts-expect-error no message
session.send({ typo: 1 });
// @ts-expect-error `parent_tool_id` is no field of a user message
session.send({ type: 'user', message: { role: 'user', content: 'x' }, parent_tool_id: null });
session.send({ type: 'user', message: { role: 'user', content: 'x' }, parent_tool_use_id: null });
session.send([{ type: 'text', text: 'x' }]);
// @ts-expect-error a text block needs its text
session.send([{ type: 'text', txt: 'x' }]);
// @ts-expect-error there is no such option
session.send('x', { prority: 'now' });
// @ts-expect-error there is no such event
await openSession({ hooks: { PreTooluse: [] } });
// @ts-expect-error there is no such option
await openSession({ budgetUsd: 1 });
// @ts-expect-error there is no such mode
await session.setPermissionMode('acceptedits');
// @ts-expect-error the keys of parameters are those of the wire
await session.control('set_permission_mode', { permission_mode: 'plan' });

// Handlers know the CLI's requests by name; others have a separate method and option.
session.handle('can_use_tool', (body) => {
  sure<Same<typeof body.tool_name, string>>();
  sure<Same<typeof body.permission_suggestions, PermissionUpdate[] | undefined>>();
  return { behavior: 'deny', message: 'no' };
});
// @ts-expect-error there is no such request
session.handle('can_use_tol', () => ({ behavior: 'deny', message: 'no' }));
// @ts-expect-error this is no answer to it
session.handle('can_use_tool', () => ({ behaviour: 'deny' }));
session.handleOther('from_the_future', ({ n }) => ({ ok: n }));
await openSession({ handlers: { elicitation: () => ({ action: 'decline' }) } });
// @ts-expect-error there is no such request
await openSession({ handlers: { elicitaton: () => ({ action: 'decline' }) } });
await openSession({ otherHandlers: { from_the_future: () => ({ ok: true }) } });

// One name per concept, from the main entry point.
sure<Same<NonNullable<CliOptions['permissionMode']>, PermissionMode>>();
sure<Same<NonNullable<CliOptions['settingSources']>, readonly SettingSource[]>>();
sure<Same<NonNullable<CliOptions['envMode']>, EnvMode>>();
await openSession({
  promptTimeoutsMs: { permission: 1000 },
  hooks: {
    PreToolUse: [{ matcher: 'Bash', timeoutMs: 1000, run: ({ tool_name }) => ({ reason: tool_name }) }],
  },
  onPermission: (prompt) => {
    sure<Same<typeof prompt.suggestions, readonly PermissionUpdate[]>>();
    return prompt.deny('no');
  },
});
