import { describeHostRequests } from '../entries.js';

/** Requests for what the CLI's own dialogs would show. */
export const dialogRequests = describeHostRequests({
  get_memory_dialog: {
    reach: 'offline',
    answer: 'value',
    about: 'Lists instruction files and memory folders with their switches.',
  },
  get_skills_dialog: {
    reach: 'offline',
    answer: 'value',
    about: 'Lists the skills that can be enabled and disabled.',
  },
  get_sandbox_dialog: {
    reach: 'offline',
    answer: 'value',
    about: 'Reports whether commands run in a sandbox, what it is missing and what it forbids.',
  },
  get_chrome_dialog: {
    reach: 'offline',
    answer: 'value',
    about: 'Reports whether the Chrome extension is installed, connected and allowed.',
  },
  get_chrome_browsers: {
    reach: 'account',
    answer: 'value',
    about:
      'Lists the browsers that the Chrome extension is connected to; needs a login, so only the refusal has been observed.',
  },
  select_chrome_browser: {
    reach: 'account',
    answer: 'value',
    about: 'Selects the browser for the Chrome tools.',
  },
  set_chrome_browser_hints: {
    reach: 'account',
    answer: 'ack',
    about: 'Passes information about browsers to a session that runs elsewhere.',
    caution: 'A session on this machine refuses it.',
  },
});
