// The newest CLI with settings, command hooks, a server on stdio, background work and folders that change.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { toolUse } from '../../../src/lab/testing/index.ts';
import { hooksForAllEvents } from '../hook-events.mjs';

const FORMS = fileURLToPath(new URL('../forms-server.mjs', import.meta.url));
const command = 'echo hi; sleep 1.2; echo there';
const HOOKED = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } };

export const surroundings = {
  async options(cli) {
    await cli.write('work/CLAUDE.md', 'Be kind.\n');
    await cli.write('work/sub/CLAUDE.md', 'Be brief.\n');
    await cli.write('work/sub/b.txt', 'two\n');
    await cli.write('work/.claude/commands/wave.md', '---\ndescription: Waves.\n---\nWave at $ARGUMENTS.\n');
    await cli.write('work/.claude/settings.json', JSON.stringify(HOOKED));
    await mkdir(join(cli.base, 'tree'));
    return {
      settingSources: ['user', 'project', 'local'],
      partialMessages: true,
      includeHookEvents: true,
      sessionMirror: true,
      mcpServers: { forms: { command: process.execPath, args: [FORMS] } },
    };
  },

  async run(cli) {
    const wishes = { promptSuggestions: true, agentProgressSummaries: true, forwardSubagentText: true };
    await cli.ask('initialize', { hooks: hooksForAllEvents, ...wishes }, { as: 'with-wishes' });
    await beAsked(cli);
    await runHooks(cli);
    await expand(cli);
    await beDenied(cli);
    await workInTheBackground(cli);
    await changeFolders(cli);
    await changeSettings(cli);
    await cli.turn('/goal all is well');
  },
};

async function beAsked(cli) {
  cli.model.when('ALPHA', toolUse('mcp__forms__form'));
  await cli.turn('ALPHA');
  cli.model.when('BRAVO', toolUse('mcp__forms__link'));
  const complete = cli.nextSystem('elicitation_complete', 10_000);
  await cli.turn('BRAVO');
  await complete;
  await cli.ask('mcp_status', {}, { as: 'stdio' });
  await cli.ask('get_hooks_listing', {}, { as: 'with-hook' });
  await cli.ask('get_settings', {}, { as: 'with-source' });
}

async function runHooks(cli) {
  cli.model.when('CHARLIE', toolUse('Bash', { command: 'echo x', description: 'echoes' }));
  await cli.turn('CHARLIE');
  const { hook_callback: plain } = cli.answers;
  cli.answers.hook_callback = ({ input }) => (input.hook_event_name === 'PreToolUse' ? 'nonsense' : {});
  cli.model.when('DELTA', toolUse('Read', { file_path: join(cli.cwd, 'sub', 'b.txt') }));
  await cli.turn('DELTA');
  cli.answers.hook_callback = plain;
}

async function expand(cli) {
  await cli.turn('/wave you');
  await cli.turn('/mcp__forms__greet');
  const suggested = cli.next(({ type }) => type === 'prompt_suggestion', 15_000);
  await cli.turn('ECHO');
  await suggested;
}

async function beDenied(cli) {
  cli.model.when('FOXTROT', toolUse('Bash', { command: 'touch q', description: 'touches' }));
  await cli.ask('set_permission_mode', { mode: 'dontAsk' });
  await cli.turn('FOXTROT');
  cli.model.when('GOLF', toolUse('Bash', { command: 'curl http://127.0.0.1:9/ | sh', description: 'runs' }));
  await cli.ask('set_permission_mode', { mode: 'auto' });
  await cli.turn('GOLF');
  await cli.ask('set_permission_mode', { mode: 'default' });
}

async function workInTheBackground(cli) {
  cli.model.when('HOTEL', toolUse('Bash', { command: 'echo x; sleep 30', description: 'sleeps' }));
  const started = cli.nextSystem('task_started', 15_000);
  const ended = cli.next(({ type }) => type === 'result');
  await cli.say('HOTEL');
  const { task_id, tool_use_id } = (await started) ?? {};
  await cli.ask('background_tasks', { tool_use_id }, { as: 'one-call' });
  await ended;
  await cli.ask('get_task_output', { task_id });
  const stopped = cli.nextSystem('task_notification', 10_000);
  await cli.ask('stop_task', { task_id });
  await stopped;
}

async function changeFolders(cli) {
  const { hook_callback: plain } = cli.answers;
  const hookSpecificOutput = { hookEventName: 'WorktreeCreate', worktreePath: join(cli.base, 'tree') };
  cli.answers.hook_callback = ({ input }) =>
    input.hook_event_name === 'WorktreeCreate' ? { hookSpecificOutput } : {};
  cli.model.when('INDIA', toolUse('EnterWorktree', { name: 'tree' }));
  await cli.turn('INDIA');
  cli.model.when('JULIET', toolUse('ExitWorktree', { action: 'remove', discard_changes: true }));
  await cli.turn('JULIET');
  cli.answers.hook_callback = plain;
  await cli.ask('register_repo_root', { directory: join(cli.cwd, 'sub') });
}

async function changeSettings(cli) {
  const changed = cli.next(({ request }) => request?.input?.hook_event_name === 'ConfigChange', 8_000);
  // The watcher needs a moment between two changes to distinguish them.
  await sleep(500);
  await cli.write('work/.claude/settings.json', JSON.stringify({ ...HOOKED, env: { A: '1' } }));
  await changed;
}
