import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { askHost, hook } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { differential } from './harness/differential.js';
import type { Program } from './harness/program.js';
import type { Stage } from './harness/stage.js';

type Callback = (input: Record<string, unknown>, toolUseId: unknown, options: { signal: unknown }) => unknown;

/** A recorded callback with its result. */
function told(stage: Stage, name: string, gives: unknown = {}): Callback {
  return async (input, toolUseId, { signal, ...rest }) => {
    stage.tell(name, input, toolUseId, signal instanceof AbortSignal, rest);
    if (gives instanceof Error) throw gives;
    return gives;
  };
}

/** A tool is used while hooks are registered. */
function hooked(
  name: string,
  hooks: (stage: Stage) => Record<string, readonly unknown[]>,
  more: Partial<Program> & { readonly steps?: readonly Step[] } = {},
): Program {
  const { steps = [useTool('Bash', { command: 'ls' }, { result: 'README.md' })], ...rest } = more;
  return {
    name,
    scenarios: [[onUser([say('Let me see.'), ...steps, say('That is all.')])]],
    run: (sdk, stage) =>
      stage.read(sdk.query({ prompt: 'Hi', options: stage.options({ hooks: hooks(stage) }) })),
    ...rest,
  };
}

function preToolUse(permissionDecision: string, more: Record<string, unknown> = {}): unknown {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } };
}

differential([
  hooked('a hook before a tool is called', (stage) => ({
    PreToolUse: [{ hooks: [told(stage, 'before', { continue: true })] }],
  })),
  hooked('a hook is called only if its matcher matches', (stage) => ({
    PreToolUse: [
      { matcher: 'Bash', hooks: [told(stage, 'bash')] },
      { matcher: 'Write', hooks: [told(stage, 'write')] },
    ],
  })),
  hooked('two hooks of one matcher are both called', (stage) => ({
    PreToolUse: [{ matcher: 'Bash', hooks: [told(stage, 'first'), told(stage, 'second')] }],
  })),
  hooked('a hook denies a tool', (stage) => ({
    PreToolUse: [{ hooks: [told(stage, 'before', preToolUse('deny', { permissionDecisionReason: 'No.' }))] }],
  })),
  hooked('a hook changes the input of a tool', (stage) => ({
    PreToolUse: [
      { hooks: [told(stage, 'before', preToolUse('allow', { updatedInput: { command: 'pwd' } }))] },
    ],
  })),
  hooked('a hook after a tool is called', (stage) => ({
    PostToolUse: [{ hooks: [told(stage, 'after', { systemMessage: 'noted' })] }],
  })),
  hooked('a hook stops the turn', (stage) => ({
    PostToolUse: [{ hooks: [told(stage, 'after', { continue: false, stopReason: 'Enough.' })] }],
  })),
  hooked('hooks around a prompt and at the stop are called', (stage) => ({
    UserPromptSubmit: [{ hooks: [told(stage, 'prompt')] }],
    Stop: [{ hooks: [told(stage, 'stop')] }],
  })),
  hooked('an async hook says so', (stage) => ({
    PostToolUse: [{ hooks: [told(stage, 'after', { async: true, asyncTimeout: 1000 })] }],
  })),
  hooked('a hook throws', (stage) => ({
    PreToolUse: [{ hooks: [told(stage, 'before', new Error('The hook broke.'))] }],
  })),
  hooked('a hook returns nothing', (stage) => ({
    PostToolUse: [
      {
        hooks: [
          async () => {
            stage.tell('after');
          },
        ],
      },
    ],
  })),
  hooked('the timeout and the failure policy of a hook are passed on', (stage) => ({
    PreToolUse: [{ matcher: 'Bash', timeout: 5, onFailure: 'continue', hooks: [told(stage, 'before')] }],
  })),
  hooked('a hook that blocks on failure delays the prompt', (stage) => ({
    PreToolUse: [{ onFailure: 'block', hooks: [told(stage, 'before')] }],
  })),
  hooked('an event without hooks is registered unchanged', () => ({ PreToolUse: [], Stop: [{ hooks: [] }] })),
  hooked('an unknown event is registered', (stage) => ({
    FromTheFuture: [{ hooks: [told(stage, 'future')] }],
  })),
  hooked(
    'other events come with their input',
    (stage) => ({ Notification: [{ hooks: [told(stage, 'told')] }] }),
    {
      steps: [hook('Notification', { message: 'Look here', notification_type: 'idle' })],
    },
  ),
  hooked('an unregistered callback is refused', () => ({}), {
    steps: [
      askHost({ subtype: 'hook_callback', callback_id: 'hook_99', input: { hook_event_name: 'Stop' } }),
    ],
  }),
]);
