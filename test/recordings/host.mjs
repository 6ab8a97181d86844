// The host program of the golden recordings: two turns, an allowed tool, a denied one, two requests.
// It runs against real CLIs when they are recorded, and against the recordings in the tests.

/** Runs the program and returns what it saw; `changed` makes it send something else. */
export async function runHost(openSession, options, { changed = false } = {}) {
  const seen = [];
  const session = await openSession({
    ...options,
    onPermission: (request) => {
      seen.push(`permission ${request.tool}`);
      return request.input.command.startsWith('mkdir')
        ? request.deny('not on this machine')
        : request.allow();
    },
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          run: (input) => {
            seen.push(`hook ${input.hook_event_name}`);
            return { continue: true };
          },
        },
      ],
    },
  });
  try {
    seen.push(await session.send('make a note').text());
    await session.setPermissionMode('default');
    await session.setModel(changed ? 'haiku' : 'opus');
    seen.push(await session.send('make a folder').text());
  } finally {
    await session.close();
  }
  return seen;
}

/** What the scripted model says, in the order of its requests. */
export const MODEL_SCRIPT = [
  {
    when: 'make a note',
    reply: { type: 'tool_use', name: 'Bash', input: { command: 'echo noted > note.txt; cat note.txt' } },
  },
  { when: { toolResult: 'noted' }, reply: { type: 'text', text: 'The note is there.' } },
  { when: 'make a folder', reply: { type: 'tool_use', name: 'Bash', input: { command: 'mkdir folder' } } },
  { when: { toolResult: 'not on this machine' }, reply: { type: 'text', text: 'As you wish.' } },
];

/** What the program sees if everything goes as recorded. */
export const SEEN = [
  'hook PreToolUse',
  'permission Bash',
  'The note is there.',
  'hook PreToolUse',
  'permission Bash',
  'As you wish.',
];
