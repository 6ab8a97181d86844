import { describeMessages, LATEST } from '../entries.js';

/** System messages about hooks that are commands. */
export const hookMessages = describeMessages('cli', {
  'system/hook_started': {
    seen: LATEST,
    reach: 'offline',
    needs: '--include-hook-events',
    about: 'A configured hook command has started.',
  },
  'system/hook_progress': {
    seen: LATEST,
    reach: 'offline',
    needs: '--include-hook-events',
    about: 'A configured hook command has printed output and is still running.',
  },
  'system/hook_response': {
    seen: LATEST,
    reach: 'offline',
    needs: '--include-hook-events',
    about: 'A configured hook command has ended with this output.',
  },
});
