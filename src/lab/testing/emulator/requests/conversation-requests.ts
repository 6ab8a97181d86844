import { systemMessage } from '../../builders/system.js';
import { userMessage } from '../../builders/user.js';
import type { Handler, Handlers, HostRequest } from '../asking/host-request.js';
import { type Cli, resolvedModel } from '../cli.js';

/** Newer versions report which messages are still waiting and, on request, which were dropped. */
const interrupt: Handler = (request, { turns, traits }) => {
  const cancelQueued = traits.cancelsQueued && request.body.cancel_queued === true;
  const { stillQueued, cancelled } = turns.interrupt({ cancelQueued });
  if (!traits.givesReceipt) request.succeed();
  else request.succeed({ still_queued: stillQueued, ...(cancelQueued ? { cancelled } : {}) });
};

const MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan'];

/** Old versions accept any text, or none at all, and answer twice, even after a refusal. */
const setPermissionMode: Handler = async (request, cli) => {
  const { state, traits } = cli;
  const { mode } = request.body;
  const isSet = setMode(request, cli);
  if (!traits.answersOnce) request.succeed();
  if (!isSet || !traits.tellsMode) return;
  const told = { status: null, permissionMode: mode, session_id: state.sessionId };
  await cli.send(systemMessage('status', told));
};

/** Answers the request for a mode; returns whether it is set. */
function setMode(request: HostRequest, { state, traits }: Cli): boolean {
  const { mode } = request.body;
  if (traits.checksMode && !MODES.includes(String(mode))) {
    request.refuse(`Cannot set permission mode: must be one of ${MODES.join(', ')}`, 'invalid_mode');
    return false;
  }
  if (mode === 'bypassPermissions' && !(state.bypassAllowed ?? !traits.refusesUnaskedBypass)) {
    request.refuse(
      'Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions',
      'bypass_not_launched',
    );
    return false;
  }
  state.permissionMode = typeof mode === 'string' ? mode : undefined;
  request.succeed({ mode });
  return true;
}

/** Newer versions first replay a user message, then name the resolved model. */
const setModel: Handler = async (request, cli) => {
  const { state, traits } = cli;
  const name = typeof request.body.model === 'string' ? request.body.model : 'default';
  // On old versions, a running turn keeps its model.
  if (traits.changesModelAtOnce) state.model = name;
  else state.nextModel = name;
  const model = resolvedModel(cli, name);
  if (traits.replaysModelLine) {
    const shown = name === 'default' || name === model ? model : `${name} (${model})`;
    const text = `<local-command-stdout>Set model to \`${shown}\`</local-command-stdout>`;
    void cli.send(userMessage(text, { isReplay: true, session_id: state.sessionId }));
  }
  if (traits.namesModel) request.succeed({ model });
  else request.succeed();
};

/** A plain ack. */
export const acknowledge: Handler = (request) => request.succeed();

/** Requests about the conversation. */
export const conversationHandlers: Handlers = {
  interrupt,
  set_permission_mode: setPermissionMode,
  set_model: setModel,
  set_max_thinking_tokens: (request, { state }) => {
    const { max_thinking_tokens: tokens } = request.body;
    state.thinkingTokens = typeof tokens === 'number' ? tokens : 0;
    request.succeed();
  },
};
