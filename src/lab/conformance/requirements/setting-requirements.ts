import type { Requirements } from '../requirement.js';

/** Modes, models and thinking settings that the host changes while a session runs. */
export const settingsRequirements = {
  'mode:at-start': {
    behaviour: 'A session that was started without a mode is in the mode `default`.',
  },
  'mode:answered': {
    behaviour: 'The answer to `set_permission_mode` repeats the mode.',
  },
  'mode:init-shows-it': {
    behaviour: 'The next `system/init` shows the mode that was set.',
  },
  'mode:told': {
    behaviour: 'A mode change is reported by a `system/status` message.',
  },
  'mode:wrong-field': {
    behaviour: 'A mode under the name `permission_mode` is refused.',
  },
  'mode:unknown': {
    behaviour: 'A mode that does not exist is refused.',
  },
  'mode:bypass-unasked': {
    behaviour: '`bypassPermissions` is refused in a session that was not started for it.',
  },
  'mode:refusal-is-final': {
    behaviour: 'A refused mode gets no success after the refusal.',
  },
  'mode:bypass': {
    behaviour: 'In the mode `bypassPermissions` no tool call prompts.',
  },
  'mode:accept-edits': {
    behaviour: 'In the mode `acceptEdits` files are written without a prompt.',
  },
  'mode:dont-ask': {
    behaviour: 'In the mode `dontAsk` calls that need permission are denied without a prompt, and listed.',
  },
  'mode:plan': {
    behaviour: 'In the mode `plan` a file is written once the host allows it.',
  },
  'mode:open-prompt-stays': {
    behaviour: 'A mode change leaves an open prompt open.',
  },
  'model:any-name': {
    behaviour: 'Any model name is accepted.',
  },
  'model:none-means-default': {
    behaviour: '`set_model` without a model returns to the default one.',
  },
  'model:answer-names-it': {
    behaviour: 'The answer to `set_model` has the full name of the model.',
  },
  'model:replayed-line': {
    behaviour: 'A model change is reported by a replayed user line.',
  },
  'model:init-shows-it': {
    behaviour: 'The next `system/init` shows the model that was set.',
  },
  'model:used': {
    behaviour: 'The next turn calls the model that was set.',
  },
  'model:mid-turn': {
    behaviour: 'A model that is set during a turn is used for the rest of the turn.',
  },
  'thinking:budget': {
    behaviour: '`set_max_thinking_tokens` sets the thinking budget of the next model call.',
  },
} as const satisfies Requirements;
