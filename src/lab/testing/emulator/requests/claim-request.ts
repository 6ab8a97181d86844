import { existsSync } from 'node:fs';
import { isObject } from '../../../../wire/protocol/frames.js';
import { connectServers } from '../asking/emulated-servers.js';
import type { Handler } from '../asking/host-request.js';
import { takeServers, welcomeAnswer } from './initialize-requests.js';

/** Gives a process that was started with `--await-claim` its folder and other settings, once. */
export const claimSession: Handler = async (request, cli) => {
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
