import { systemMessage } from '../../builders/system.js';
import { userMessage } from '../../builders/user.js';
import { resolvedModel } from '../cli.js';
import type { Handler } from './request-handler.js';

/** Up to 2.1.17: a plain ack. */
export const interruptOld: Handler = (request, cli) => {
  cli.turns.interrupt();
  request.succeed();
};

/** 2.1.325: says which messages still wait, and which were dropped if asked to. */
export const interruptNew: Handler = (request, cli) => {
  const cancelQueued = request.body.cancel_queued === true;
  const { stillQueued, cancelled } = cli.turns.interrupt({ cancelQueued });
  request.succeed({ still_queued: stillQueued, ...(cancelQueued ? { cancelled } : {}) });
};

/** Up to 2.1.17: takes any string, or none at all, and answers twice, also after a refusal. */
export const setPermissionModeOld: Handler = (request, { state, traits }) => {
  const { mode } = request.body;
  if (mode === 'bypassPermissions' && !(state.bypassAllowed ?? traits.bypassUnasked)) {
    request.refuse(
      'Cannot set permission mode to bypassPermissions because it is disabled by settings or configuration',
    );
  } else {
    state.permissionMode = typeof mode === 'string' ? mode : undefined;
    request.succeed({ mode });
  }
  request.succeed();
};

const MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan'];

/** 2.1.325: checks the mode, answers once, then tells the new mode. */
export const setPermissionModeNew: Handler = async (request, cli) => {
  const { mode } = request.body;
  if (typeof mode !== 'string' || !MODES.includes(mode)) {
    request.refuse(`Cannot set permission mode: must be one of ${MODES.join(', ')}`, 'invalid_mode');
    return;
  }
  if (mode === 'bypassPermissions' && !cli.state.bypassAllowed) {
    request.refuse(
      'Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions',
      'bypass_not_launched',
    );
    return;
  }
  cli.state.permissionMode = mode;
  request.succeed({ mode });
  await cli.send(
    systemMessage('status', { status: null, permissionMode: mode, session_id: cli.state.sessionId }),
  );
};

/** Up to 2.1.17: a plain ack. */
export const setModelOld: Handler = (request, { state }) => {
  // A turn that runs keeps its model.
  state.nextModel = modelName(request.body.model);
  request.succeed();
};

/** 2.1.325: a replayed line of the user first, then the resolved model. */
export const setModelNew: Handler = async (request, cli) => {
  cli.state.model = modelName(request.body.model);
  const model = resolvedModel(cli);
  const name =
    cli.state.model === 'default' || cli.state.model === model ? model : `${cli.state.model} (${model})`;
  const text = `<local-command-stdout>Set model to \`${name}\`</local-command-stdout>`;
  void cli.send(userMessage(text, { isReplay: true, session_id: cli.state.sessionId }));
  request.succeed({ model });
};

/** All versions: a plain ack. */
export const acknowledge: Handler = (request) => request.succeed();

function modelName(model: unknown): string {
  return typeof model === 'string' ? model : 'default';
}
