// A conversation with thinking, tools, prompts, hooks, an in-process server, a subagent and commands.
import { apiError, text, thinking, toolUse } from '../../../src/lab/testing/index.ts';
import { clockServer } from '../clock-server.mjs';
import { hooksForAllEvents } from '../hook-events.mjs';

const uuid = (last) => `11111111-1111-4111-8111-${String(last).padStart(12, '0')}`;

const question = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: ['Red', 'Blue'].map((label) => ({ label, description: label })),
};

export const conversation = {
  options: () => ({
    partialMessages: true,
    replayUserMessages: true,
    enableFileCheckpointing: true,
    mcpServers: { clock: { type: 'sdk', name: 'clock' } },
    env: {
      CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
      CLAUDE_CODE_SDK_READS_STARTUP_MARKS: '1',
    },
  }),

  async run(cli) {
    cli.answers.mcp_message = clockServer;
    const agents = { helper: { description: 'Helps.', prompt: 'Help.' } };
    await cli.ask('initialize', { hooks: hooksForAllEvents, agents }, { as: 'with-hooks' });
    await useTools(cli);
    await denyAndAsk(cli);
    await sendAnAgent(cli);
    await interrupt(cli);
    await rewind(cli);
    await useCommands(cli);
    await failAtTheModel(cli);
  },
};

async function useTools(cli) {
  cli.model.when('ALPHA', [thinking('hm'), text('hi')]);
  await cli.turn('ALPHA', { uuid: uuid(1) });
  cli.model.when('BRAVO', toolUse('Write', { file_path: `${cli.cwd}/b.txt`, content: 'one' }));
  await cli.turn('BRAVO', { uuid: uuid(2) });
  cli.model.when('CHARLIE', toolUse('Bash', { command: 'exit 3', description: 'fails' }));
  await cli.turn('CHARLIE');
  cli.model.when('DELTA', toolUse('mcp__clock__now'));
  await cli.turn('DELTA');
  // The answer to an in-process server's own request arrives as a message without a method.
  const ping = { jsonrpc: '2.0', id: 'ping-1', method: 'ping' };
  const echoed = cli.nextRequest('mcp_message', 5_000);
  await cli.ask('mcp_message', { server_name: 'clock', message: ping });
  await echoed;
  await cli.ask('mcp_status', {}, { as: 'in-process' });
}

async function denyAndAsk(cli) {
  const { can_use_tool: allow } = cli.answers;
  cli.answers.can_use_tool = () => ({ behavior: 'deny', message: 'no' });
  cli.model.when('ECHO', toolUse('Bash', { command: 'touch z', description: 'touches' }));
  await cli.turn('ECHO');
  cli.answers.can_use_tool = ({ input }) => ({
    behavior: 'allow',
    updatedInput: { ...input, answers: { 'Which colour?': 'Red' } },
  });
  cli.model.when('FOXTROT', toolUse('AskUserQuestion', { questions: [question] }));
  await cli.turn('FOXTROT');
  cli.answers.can_use_tool = allow;
}

async function sendAnAgent(cli) {
  const name = cli.isLatest ? 'Agent' : 'Task';
  cli.model.when('DEEPER', toolUse('Bash', { command: 'echo x', description: 'echoes' }));
  cli.model.when('GOLF', toolUse(name, { description: 'help', prompt: 'DEEPER', subagent_type: 'helper' }));
  const over = cli.isLatest ? cli.nextSystem('task_notification') : undefined;
  await cli.turn('GOLF');
  await over;
  // On the newest CLI, the end of the agent starts a turn on its own.
  if (cli.isLatest) await cli.next(({ type, origin }) => type === 'result' && origin !== undefined, 10_000);
}

async function interrupt(cli) {
  const { can_use_tool: allow } = cli.answers;
  cli.answers.can_use_tool = () => undefined;
  cli.model.when('HOTEL', toolUse('Bash', { command: 'touch q', description: 'touches' }));
  const asked = cli.nextRequest('can_use_tool');
  const ended = cli.next(({ type }) => type === 'result');
  await cli.say('HOTEL', { uuid: uuid(3) });
  await asked;
  await cli.say('INDIA', { uuid: uuid(4) });
  await cli.ask('interrupt', { cancel_queued: true }, { as: 'cancel-queued' });
  await ended;
  cli.answers.can_use_tool = allow;
  await cli.turn('JULIET');
}

async function rewind(cli) {
  const id = { user_message_id: uuid(2) };
  await cli.ask('rewind_files', { ...id, dry_run: true }, { as: 'dry-run' });
  await cli.ask('rewind_files', id);
}

async function useCommands(cli) {
  await cli.turn('/context');
  await cli.turn('/compact');
  await cli.ask('set_model', { model: 'opus' }, { as: 'in-conversation' });
  await cli.turn('KILO');
  await cli.turn('/clear');
}

async function failAtTheModel(cli) {
  cli.model.when('LIMA', apiError(529), text('fine'));
  await cli.turn('LIMA');
  cli.model.when('MIKE', ...Array.from({ length: 20 }, () => apiError(400)));
  await cli.turn('MIKE');
}
