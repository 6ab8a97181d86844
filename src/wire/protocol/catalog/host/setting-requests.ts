import { describeHostRequests } from '../entries.js';

/** Requests about settings and about what is loaded from disk. */
export const settingsRequests = describeHostRequests({
  apply_flag_settings: {
    reach: 'offline',
    answer: 'ack',
    about: 'Overrides settings for this session, immediately.',
    caution: 'One badly typed known key rejects the whole request; unknown keys are accepted.',
  },
  get_settings: {
    reach: 'offline',
    answer: 'value',
    about: 'Returns the current settings, their sources, and the resulting values.',
  },
  update_settings: {
    reach: 'offline',
    answer: 'value',
    about: 'Writes one of the few permitted keys to a settings file.',
    caution: 'A source that was disabled at startup is refused, and so is nearly every key.',
  },
  get_hooks_listing: {
    reach: 'offline',
    answer: 'value',
    about: 'Lists the configured hooks, the events they can bind to, and what policy allows.',
  },
  list_permission_rules: {
    reach: 'offline',
    answer: 'value',
    about: 'Lists the active permission rules with their sources.',
  },
  list_models: {
    reach: 'offline',
    answer: 'value',
    about: 'Lists the available models.',
  },
  reload_plugins: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 90_000,
    about: 'Reloads plugins from disk and reports what they provide.',
  },
  reload_skills: {
    reach: 'offline',
    answer: 'value',
    about: 'Reloads skills from disk and lists them.',
  },
  reload_output_styles: {
    reach: 'offline',
    answer: 'value',
    about: 'Reloads output styles from disk and lists their names.',
  },
});
