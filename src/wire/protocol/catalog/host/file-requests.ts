import { describeHostRequests } from '../entries.js';

/** Requests about files and folders. */
export const fileRequests = describeHostRequests({
  rewind_files: {
    reach: 'offline',
    answer: 'value',
    needs: 'CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1',
    deadlineMs: 60_000,
    about: 'Restores the files to their state at a user message.',
    caution: '2.0.73 ignores `dry_run` and changes the files, and its success has no value.',
  },
  read_file: {
    reach: 'offline',
    answer: 'value',
    about: 'Reads a file inside the workspace through the CLI.',
    caution: 'A missing file and one outside the workspace are refused with the same text.',
  },
  seed_read_state: {
    reach: 'offline',
    answer: 'ack',
    about:
      'Tells the CLI that the model knows the state of a file at a given time, so that it may edit the file.',
  },
  file_suggestions: {
    reach: 'offline',
    answer: 'value',
    about: 'Suggests file names that match the user’s input.',
  },
  register_repo_root: {
    reach: 'offline',
    answer: 'value',
    about: 'Adds a repository below the working folder to the workspace.',
  },
  set_cwd: {
    reach: 'offline',
    answer: 'value',
    about: 'Moves the session to another working folder, once that folder is trusted.',
    caution:
      'The first answer may be `needs_trust`; send it again with `trust_accepted` and `trusted_directory`.',
  },
  get_workspace_diff: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Returns the uncommitted changes of the workspace, or why there are none to show.',
  },
});
