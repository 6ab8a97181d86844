import { describeHookEvents } from './entries.js';

/** Every event that a hook callback can be registered for. */
export const hookEvents = describeHookEvents({
  PreToolUse: {
    reach: 'offline',
    about: 'Before a tool runs; can allow, deny, ask or change the input.',
    caution: '`continue: false` does not stop the tool, only the turn after it.',
  },
  PostToolUse: { reach: 'offline', about: 'After a tool has succeeded.' },
  PostToolUseFailure: { reach: 'offline', about: 'After a tool has failed.' },
  PostToolBatch: { reach: 'offline', about: 'After all tool calls of one model answer.' },
  Notification: { reach: 'offline', about: 'When the CLI wants the user’s attention.' },
  UserPromptSubmit: {
    reach: 'offline',
    about: 'When a prompt is submitted, before the model sees it.',
  },
  UserPromptExpansion: {
    reach: 'offline',
    about: 'When a slash command or a server’s prompt is expanded to text.',
  },
  SessionStart: {
    reach: 'offline',
    about: 'When a session starts or restarts.',
    caution: 'The process starts before initialize, so callbacks only see compaction and clearing.',
  },
  SessionEnd: {
    reach: 'offline',
    about: 'When a conversation ends.',
    caution: 'Callbacks only see it for /clear: when the process ends, the pipe is already closed.',
  },
  Stop: {
    reach: 'offline',
    about: 'When the model is done; blocking makes it continue.',
    caution: 'Check `stop_hook_active`, or a block repeats forever.',
  },
  StopFailure: { reach: 'offline', about: 'When a turn ends because a model call failed.' },
  SubagentStart: {
    reach: 'offline',
    about: 'When a subagent starts.',
    caution: '2.0.73 starts two subagents on its own in the first turn.',
  },
  SubagentStop: { reach: 'offline', about: 'When a subagent is done.' },
  PreCompact: { reach: 'offline', about: 'Before the history is compacted.' },
  PostCompact: { reach: 'offline', about: 'After the history is compacted.' },
  PreModelSwitch: {
    reach: 'offline',
    about: 'Before the model changes; can refuse the change.',
  },
  PostModelSwitch: { reach: 'offline', about: 'After the model has changed.' },
  PermissionRequest: {
    reach: 'offline',
    about: 'When a permission prompt is about to be shown; can answer it.',
  },
  PermissionDenied: {
    reach: 'offline',
    about: 'When the automatic mode denies a tool call; can ask for a retry.',
  },
  Setup: {
    reach: 'declared',
    about: 'When a project is being set up or maintained.',
    caution: 'It runs before initialize, so callbacks have never been observed to get it.',
  },
  TeammateIdle: {
    reach: 'declared',
    about: 'When a member of a team of agents has nothing to do.',
  },
  TaskCreated: { reach: 'declared', about: 'When an entry is added to the task list.' },
  TaskCompleted: { reach: 'declared', about: 'When an entry of the task list is completed.' },
  Elicitation: {
    reach: 'offline',
    about: 'When an MCP server asks the user for input; can answer it.',
  },
  ElicitationResult: {
    reach: 'offline',
    about: 'Before the user’s answer goes back to the server; can change it.',
  },
  ConfigChange: { reach: 'offline', about: 'When a settings file changes on disk.' },
  WorktreeCreate: {
    reach: 'offline',
    about: 'When a worktree is needed; must create it and return its path.',
    caution: 'An answer without `worktreePath` fails the call.',
  },
  WorktreeRemove: { reach: 'offline', about: 'When a worktree is no longer needed.' },
  InstructionsLoaded: { reach: 'offline', about: 'When an instruction file is read.' },
  CwdChanged: { reach: 'declared', about: 'When the working folder changes.' },
  FileChanged: { reach: 'declared', about: 'When a watched file changes on disk.' },
  DirectoryAdded: { reach: 'offline', about: 'When a folder is added to the workspace.' },
  MessageDisplay: {
    reach: 'offline',
    about: 'Before a piece of the model’s text is shown; can replace it.',
  },
});
