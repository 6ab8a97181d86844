import { describeHostRequests, LATEST } from '../entries.js';

/** Requests for what the CLI's own dialogs would show. */
export const dialogRequests = describeHostRequests({
  get_memory_dialog: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Lists instruction files and memory folders with their switches.',
  },
  get_skills_dialog: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Lists the skills that can be switched on and off.',
  },
  get_sandbox_dialog: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Reports whether commands run in a sandbox, what is missing for it and what it forbids.',
  },
  get_chrome_dialog: {
    seen: LATEST,
    reach: 'offline',
    answer: 'value',
    about: 'Reports whether the Chrome extension is installed, connected and allowed.',
  },
  get_chrome_browsers: {
    seen: LATEST,
    reach: 'account',
    answer: 'value',
    about:
      'Lists the browsers that the Chrome extension is connected to; an answer takes a login, so only its refusal was ever seen.',
  },
  select_chrome_browser: {
    seen: LATEST,
    reach: 'account',
    answer: 'value',
    about: 'Picks the browser that the Chrome tools work in.',
  },
  set_chrome_browser_hints: {
    seen: LATEST,
    reach: 'account',
    answer: 'ack',
    about: 'Passes knowledge about browsers to a session that runs elsewhere.',
    caution: 'A session on this machine refuses it.',
  },
});
