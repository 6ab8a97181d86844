import { LATEST_FAILS, OLD_FAIL, type Requirements } from '../requirement.js';

/** Modes, models and thinking that the host changes while a session runs. */
export const settingsRequirements = {
  'mode:answered': {
    behaviour: 'The answer to `set_permission_mode` repeats the mode.',
    source: 'protocol.md §2.4',
  },
  'mode:init-shows-it': {
    behaviour: 'The next `system/init` shows the mode that was set.',
    source: 'protocol.md §2.4',
  },
  'mode:told': {
    behaviour: 'A change of the mode is told by a `system/status` message.',
    source: 'protocol.md §1.1',
    except: OLD_FAIL,
  },
  'mode:wrong-field': {
    behaviour: 'A mode under the name `permission_mode` is refused.',
    source: 'protocol.md §1.1',
    except: OLD_FAIL,
  },
  'mode:unknown': {
    behaviour: 'A mode that does not exist is refused.',
    source: 'protocol.md §2.4',
    except: OLD_FAIL,
  },
  'mode:bypass-unasked': {
    behaviour: '`bypassPermissions` is refused in a session that was not started for it.',
    source: 'protocol.md §2.4',
    except: OLD_FAIL,
  },
  'mode:refusal-is-final': {
    behaviour: 'A refused mode gets no success after the refusal.',
    source: 'protocol.md §2.4',
    except: OLD_FAIL,
  },
  'mode:bypass': {
    behaviour: 'In the mode `bypassPermissions` no tool call asks.',
    source: 'protocol.md §2.4',
  },
  'mode:accept-edits': {
    behaviour: 'In the mode `acceptEdits` files are written unasked.',
    source: 'protocol.md §2.4',
  },
  'mode:dont-ask': {
    behaviour: 'In the mode `dontAsk` calls that need permission are denied unasked, and listed.',
    source: 'protocol.md §2.4',
  },
  'mode:plan': {
    behaviour: 'In the mode `plan` a file is written once the host allows it.',
    source: 'protocol.md §2.4',
  },
  'mode:open-prompt-stays': {
    behaviour: 'A change of the mode leaves an open prompt open.',
    source: 'protocol.md §2.4',
  },
  'model:any-name': {
    behaviour: 'Any name of a model is accepted.',
    source: 'protocol.md §2.5',
  },
  'model:none-means-default': {
    behaviour: '`set_model` without a model goes back to the default one.',
    source: 'protocol.md §2.5',
  },
  'model:answer-names-it': {
    behaviour: 'The answer to `set_model` has the full name of the model.',
    source: 'protocol.md §1.1',
    except: OLD_FAIL,
  },
  'model:replayed-line': {
    behaviour: 'A change of the model is told by a replayed line of the user.',
    source: 'protocol.md §2.5',
    except: OLD_FAIL,
  },
  'model:init-shows-it': {
    behaviour: 'The next `system/init` shows the model that was set.',
    source: 'protocol.md §2.5',
  },
  'model:used': {
    behaviour: 'The next turn calls the model that was set.',
    source: 'protocol.md §2.5',
  },
  'model:mid-turn': {
    behaviour: 'A model that is set in a turn is called for the rest of the turn.',
    source: 'protocol.md §2.5',
    except: OLD_FAIL,
  },
  'thinking:budget': {
    behaviour: '`set_max_thinking_tokens` sets the thinking budget of the next model call.',
    source: 'protocol.md §2.5',
    except: LATEST_FAILS,
  },
} as const satisfies Requirements;
