import { existsSync } from 'node:fs';
import { isObject } from '../../../../wire/protocol/frames.js';
import { systemMessage } from '../../builders/system.js';
import { connectServers } from '../asking/emulated-servers.js';
import type { Handler, Handlers } from '../asking/host-request.js';
import { finishTask } from '../steps/task-steps.js';
import { acknowledge } from './conversation-requests.js';
import { takeServers, welcomeAnswer } from './initialize-requests.js';

/** Gives a process that was started with `--await-claim` its folder and other settings, once. */
const claimSession: Handler = async (request, cli) => {
  const { state } = cli;
  const {
    cwd,
    sdk_mcp_servers: names,
    permission_mode: mode,
    agents,
    include_initialize: greets,
  } = request.body;
  if (state.awaitsClaim === undefined) {
    request.refuse(
      'not_a_spare: claim_session is only accepted by a process started with --await-claim that has not been claimed yet',
    );
    return;
  }
  if (typeof cwd !== 'string' || !existsSync(cwd)) {
    request.refuse(typeof cwd === 'string' ? `cwd_not_found: ${cwd}` : 'invalid_request: cwd is no text');
    return;
  }
  const parkedMs = Math.round(cli.clock.now() - state.awaitsClaim);
  state.awaitsClaim = undefined;
  state.cwd = cwd;
  if (typeof mode === 'string') state.permissionMode = mode;
  if (isObject(agents)) state.agents = agents;
  if (typeof request.body.append_system_prompt === 'string')
    state.appendSystemPrompt = request.body.append_system_prompt;
  takeServers(cli, names);
  await connectServers(cli);
  request.succeed({
    status: 'ok',
    cwd,
    session_id: state.sessionId,
    parked_ms: parkedMs,
    sdk_mcp_settled: true,
    ...(greets === true ? { initialize: welcomeAnswer(cli, {}) } : {}),
  });
};

/** Requests about the session as a whole that only newer CLIs serve. */
export const sessionHandlers: Handlers = {
  cancel_async_message: (request, { turns }) => {
    request.succeed({ cancelled: turns.cancel(String(request.body.message_uuid)) });
  },
  rename_session: async (request, cli) => {
    const { title } = request.body;
    if (typeof title !== 'string') {
      request.refuse('rename_session: title must be a string');
      return;
    }
    cli.state.title = title;
    if (cli.traits.tellsTitle) {
      await cli.send(systemMessage('session_title_changed', { title, session_id: cli.state.sessionId }));
    }
    request.succeed();
  },
  generate_session_title: (request) => request.succeed({ title: null }),
  side_question: async (request, cli) => {
    const progress = { request_id: request.id, status: 'started', session_id: cli.state.sessionId };
    if (cli.traits.tellsProgress) await cli.send(systemMessage('control_request_progress', progress));
    request.succeed({ response: `An emulated answer to: ${request.body.question}`, synthetic: false });
  },
  export_conversation: (request, { state }) => {
    request.succeed({ text: '', default_filename: `${state.sessionId}.txt` });
  },
  fork_conversation: (request) => {
    request.succeed({ forked: false, error: 'unsupported', reason: 'unsupported' });
  },
  end_session: (request, cli) => {
    request.succeed();
    if (cli.traits.endsTurnFirst) cli.leave({ idle: 0, busy: 1 });
    else cli.exit({ code: 0 });
  },
  claim_session: claimSession,
  set_has_subscribers: acknowledge,
  set_prompt_suggestions_paused: acknowledge,
};

/** Requests about background work. */
export const taskHandlers: Handlers = {
  background_tasks: (request, { state }) => {
    const { tool_use_id: toolUseId } = request.body;
    if (toolUseId === undefined) request.succeed({});
    else
      request.succeed({
        backgrounded: [...state.tasks.values()].some((task) => task.toolUseId === toolUseId),
      });
  },
  stop_task: async (request, cli) => {
    const { task_id: id } = request.body;
    if (typeof id !== 'string') {
      request.refuse('stop_task: task_id must be a string');
      return;
    }
    const task = cli.state.tasks.get(id);
    if (task === undefined && !cli.traits.stopsUnknownTasks) {
      request.refuse(`No task found with ID: ${id}`);
      return;
    }
    if (task?.status === 'running') {
      task.status = 'killed';
      task.stop?.();
      if (cli.traits.tellsStoppedTasks)
        await finishTask(cli, task, { patch: 'killed', notice: 'stopped', summary: 'The task was stopped.' });
    }
    request.succeed({});
  },
  get_task_output: (request, { state }) => {
    const task = state.tasks.get(String(request.body.task_id));
    if (task === undefined) {
      request.refuse('get_task_output: no shell or Monitor task with that task_id in this session');
      return;
    }
    const output = task.output();
    request.succeed({ output, total_bytes: Buffer.byteLength(output), truncated: false });
  },
};

/** Requests that need an account, answered like a CLI that has only an API key. */
export const accountHandlers: Handlers = {
  remote_control: (request) => {
    if (request.body.enabled === true) request.refuse('Remote control needs a login');
    else request.succeed();
  },
  submit_feedback: (request) =>
    request.succeed({ feedback_id: null, unavailable_reason: 'Feedback is disabled' }),
  submit_survey_feedback: (request) => {
    request.succeed({ feedback_id: null, unavailable_reason: 'Feedback is disabled' });
  },
  message_rated: (request) => request.succeed({}),
  claude_authenticate: (request) => request.refuse('Signing in is not possible here'),
  claude_oauth_callback: (request) => request.refuse('No sign-in is under way'),
  claude_oauth_wait_for_completion: (request) => request.refuse('No sign-in is under way'),
  ultrareview_launch: (request) => request.refuse('A review needs a login'),
  channel_enable: (request) => {
    request.refuse(
      `server ${request.body.serverName} is not plugin-sourced; channel_enable requires a plugin`,
    );
  },
  mcp_authenticate: (request) => request.refuse('Server type "sdk" does not support OAuth authentication'),
  mcp_clear_auth: (request) => request.refuse('Cannot clear auth for server type "sdk"'),
  mcp_oauth_callback_url: (request) => {
    request.refuse(`No active OAuth flow for server: ${request.body.serverName}`);
  },
};
