import { describeHostRequests, LATEST } from '../entries.js';

/** Requests about settings and about what is loaded from disk. */
export const settingsRequests = describeHostRequests({
  apply_flag_settings: {
    seen: LATEST,
    reach: 'offline',
    answer: 'ack',
    about: 'Lays settings over the others for this session, at once.',
    caution: 'One badly typed known key rejects the whole request; unknown keys are accepted.',
  },
  get_settings: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Shows the settings in force, where each came from, and what was made of them.',
  },
  update_settings: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Writes one of the few permitted keys to a settings file.',
    caution: 'A source that was switched off at the start is refused, and so is nearly every key.',
  },
  get_hooks_listing: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Lists the configured hooks, the events they can bind to and what policy allows.',
  },
  list_permission_rules: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Lists the permission rules in force with their sources.',
  },
  list_models: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Lists the models that can be chosen.',
  },
  reload_plugins: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    deadlineMs: 90_000,
    about: 'Loads plugins again from disk and reports what they bring.',
  },
  reload_skills: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Loads skills again from disk and lists them.',
  },
  reload_output_styles: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Loads output styles again from disk and lists their names.',
  },
});
