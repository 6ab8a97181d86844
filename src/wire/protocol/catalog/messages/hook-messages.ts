import { describeMessages } from '../entries.js';

/** System messages about hooks that are commands. */
export const hookMessages = describeMessages('cli', {
  'system/hook_started': {
    reach: 'offline',
    needs: '--include-hook-events',
    about: 'A configured hook command has started.',
  },
  'system/hook_progress': {
    reach: 'offline',
    needs: '--include-hook-events',
    about: 'A configured hook command has printed output and is still running.',
  },
  'system/hook_response': {
    reach: 'offline',
    needs: '--include-hook-events',
    about: 'A configured hook command has ended with this output.',
  },
});
