import assert from 'node:assert/strict';
import type {
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { AgentClient, ClientAnswers } from './agent-client.js';

/**
 * An agent to check, known only by the protocol. Its model cooperates: it answers `say hello` with `Hello.`, and each
 * line of {@link SCRIPT} with a tool call and then `That is done.`
 */
export interface CheckedAgent {
  /** The working folder of its sessions. */
  readonly cwd: string;
  /** Starts it, or connects to it again; `dispose` ends that. */
  readonly connect: (answers?: ClientAnswers) => AgentClient;
}

/** The prompts, and what the model then does. `wait forever` is answered with `Waiting` and no end. */
export const SCRIPT = {
  'say hello': 'Hello.',
  'make a file': { name: 'Bash', input: { command: 'touch made', description: 'Makes a file' } },
  'run it': { name: 'Bash', input: { command: 'node -e 1', description: 'Runs something' } },
  'make another': { name: 'Bash', input: { command: 'touch another', description: 'Makes another file' } },
  'write it': { name: 'Write', input: { file_path: 'CWD/note.txt', content: 'one\ntwo\n' } },
  'plan it': {
    name: 'TodoWrite',
    input: {
      todos: [
        { content: 'Look', status: 'completed', activeForm: 'Looking' },
        { content: 'Leap', status: 'in_progress', activeForm: 'Leaping' },
      ],
    },
  },
  'ask me': {
    name: 'AskUserQuestion',
    input: {
      questions: [
        {
          question: 'Which colour?',
          header: 'Colour',
          multiSelect: false,
          options: [
            { label: 'Red', description: 'as a rose' },
            { label: 'Blue', description: 'as the sky' },
          ],
        },
      ],
    },
  },
  'call the server': { name: 'mcp__client__ask', input: {} },
  'wait forever': 'Waiting',
} as const;

/** One thing that an agent must do. */
export interface AgentCheck {
  readonly name: string;
  readonly run: (agent: CheckedAgent) => Promise<void>;
}

/** Every check, in the order in which a client uses these features. */
export const agentChecks: readonly AgentCheck[] = [
  { name: 'answers initialize with version 1, and nothing before it', run: handshake },
  { name: 'refuses misuse with protocol errors, and keeps working', run: misuse },
  { name: 'sends its text in updates before the end of the turn', run: speech },
  {
    name: 'asks before a tool call, and respects what was allowed and denied, once and permanently',
    run: permissions,
  },
  { name: 'asks a question with a form, or with options if the client has no forms', run: questions },
  { name: 'ends a cancelled turn, even while it waits for an answer, and keeps working', run: cancelling },
  { name: 'changes its mode and its model', run: settings },
  { name: 'lists, closes, resumes, loads and deletes sessions, also for a later client', run: sessions },
];

async function handshake(agent: CheckedAgent): Promise<void> {
  await using client = agent.connect();
  await refused(client.agent.request('session/new', { cwd: agent.cwd, mcpServers: [] }), -32_600);
  const answer = await client.initialize();
  assert.equal(answer.protocolVersion, 1);
  assert.equal(typeof answer.agentInfo?.name, 'string');
  const ways = answer.authMethods ?? [];
  assert.ok(!ways.some((way) => 'type' in way && way.type === 'terminal'), 'no terminal was offered');
}

async function misuse(agent: CheckedAgent): Promise<void> {
  await using client = agent.connect();
  await client.initialize();
  const { cwd } = agent;
  const prompt = [{ type: 'text', text: 'x' }] as const;
  const nobody = '11111111-2222-4333-8444-555555555555';
  await refused(client.agent.request('session/prompt', { sessionId: nobody, prompt: [...prompt] }), -32_002);
  await refused(client.agent.request('session/set_mode', { sessionId: nobody, modeId: 'x' }), -32_002);
  await refused(client.agent.request('session/load', { sessionId: nobody, cwd, mcpServers: [] }), -32_002);
  await refused(client.agent.request('session/new', { cwd: 'not/absolute', mcpServers: [] }), -32_602);
  await refused(client.agent.request('session/new', { cwd: 7 }), -32_602);
  await refused(client.agent.request('no/such/method', {}), -32_601);
  await refused(client.agent.request('authenticate', { methodId: 'nobody offered this' }), -32_602);
  const sessionId = await client.begin(cwd);
  await refused(client.agent.request('session/prompt', { sessionId, prompt: [] }), -32_602);
  const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } as const;
  await refused(client.agent.request('session/prompt', { sessionId, prompt: [audio] }), -32_602);
  await refused(client.agent.request('session/set_mode', { sessionId, modeId: 'no such mode' }), -32_602);
  await refused(
    client.agent.request('session/set_config_option', { sessionId, configId: 'none', value: 'x' }),
    -32_602,
  );
  await client.agent.notify('session/cancel', { sessionId: nobody });
  assert.equal(await client.prompt(sessionId, 'say hello'), 'end_turn');
}

async function speech(agent: CheckedAgent): Promise<void> {
  await using client = agent.connect();
  await client.initialize();
  const sessionId = await client.begin(agent.cwd);
  assert.equal(await client.prompt(sessionId, 'say hello'), 'end_turn');
  assert.equal(client.text, 'Hello.');
  const [first, ...others] = client.of('agent_message_chunk').map(({ messageId }) => messageId);
  assert.ok(
    others.every((id) => id === first),
    'the pieces of one message have one id',
  );
  await client.until(() => client.of('available_commands_update').length > 0);
}

async function permissions(agent: CheckedAgent): Promise<void> {
  const wanted: PermissionOptionKind[] = ['allow_once', 'reject_once', 'allow_always', 'reject_always'];
  await using client = agent.connect({ permission: (request) => choose(request, wanted.shift()) });
  await client.initialize();
  const sessionId = await client.begin(agent.cwd);
  const asked = () => client.permissions.length;
  const statuses = () => client.of('tool_call_update').map(({ status }) => status);

  await client.prompt(sessionId, 'make a file');
  assert.deepEqual([asked(), statuses().at(-1)], [1, 'completed']);
  const { toolCall } = client.permissions[0] as RequestPermissionRequest;
  const told = client.of('tool_call').find(({ toolCallId }) => toolCallId === toolCall.toolCallId);
  assert.equal(told?.kind, 'execute');
  assert.match(String(told?.title), /touch made/);

  await client.prompt(sessionId, 'make a file');
  assert.deepEqual([asked(), statuses().at(-1)], [2, 'failed']);
  await client.prompt(sessionId, 'run it');
  await client.prompt(sessionId, 'run it');
  assert.deepEqual([asked(), statuses().at(-1)], [3, 'completed'], 'allowed for good');
  await client.prompt(sessionId, 'make another');
  await client.prompt(sessionId, 'make another');
  assert.deepEqual([asked(), statuses().at(-1)], [4, 'failed'], 'refused for good');
}

async function questions(agent: CheckedAgent): Promise<void> {
  const byForm: ClientAnswers = {
    elicitation: (request) => ({ action: 'accept', content: firstFieldOf(request, 'Blue') }),
  };
  await using client = agent.connect(byForm);
  await client.initialize({ elicitation: { form: {} } });
  assert.equal(await client.prompt(await client.begin(agent.cwd), 'ask me'), 'end_turn');
  assert.equal(client.forms.length, 1);
  assert.match(answerTold(client), /Blue/);

  const byOption: ClientAnswers = {
    permission: ({ options }) => {
      const optionId = options.find(({ name }) => name === 'Blue')?.optionId ?? '';
      return { outcome: { outcome: 'selected', optionId } };
    },
  };
  await using plain = agent.connect(byOption);
  await plain.initialize();
  assert.equal(await plain.prompt(await plain.begin(agent.cwd), 'ask me'), 'end_turn');
  assert.equal(plain.permissions[0]?.toolCall.title, 'Which colour?');
  assert.match(answerTold(plain), /Blue/);
}

async function cancelling(agent: CheckedAgent): Promise<void> {
  const never = new Promise<RequestPermissionResponse>(() => {});
  const withdrawn: string[] = [];
  await using client = agent.connect({
    permission: ({ sessionId }, signal) => {
      signal.addEventListener('abort', () => withdrawn.push(sessionId));
      return never;
    },
  });
  await client.initialize();
  const sessionId = await client.begin(agent.cwd);
  const waits = client.prompt(sessionId, 'wait forever');
  await client.until(() => client.text.includes('Waiting'));
  await client.agent.notify('session/cancel', { sessionId });
  assert.equal(await waits, 'cancelled');

  const asks = client.prompt(sessionId, 'make a file');
  await client.until(() => client.permissions.length === 1);
  await client.agent.notify('session/cancel', { sessionId });
  assert.equal(await asks, 'cancelled');
  assert.deepEqual(withdrawn, [sessionId], 'the request was withdrawn');
  assert.equal(await client.prompt(sessionId, 'say hello'), 'end_turn');
}

async function settings(agent: CheckedAgent): Promise<void> {
  await using client = agent.connect();
  await client.initialize();
  const { sessionId, modes, configOptions } = await client.agent.request('session/new', {
    cwd: agent.cwd,
    mcpServers: [],
  });
  assert.ok(modes?.availableModes.some(({ id }) => id === modes.currentModeId));
  await client.agent.request('session/set_mode', { sessionId, modeId: 'acceptEdits' });
  await client.until(() =>
    client.of('current_mode_update').some(({ currentModeId }) => currentModeId === 'acceptEdits'),
  );
  const model = configOptions?.find(({ category }) => category === 'model');
  assert.equal(model?.type, 'select');
  const values = model.options.flatMap((option) => ('value' in option ? [option.value] : []));
  const value = values.find((each) => each !== model.currentValue) ?? '';
  const changed = await client.agent.request('session/set_config_option', {
    sessionId,
    configId: model.id,
    value,
  });
  const now = changed.configOptions.find(({ id }) => id === model.id);
  assert.equal(now?.currentValue, value);
  const mode = changed.configOptions.find(({ category }) => category === 'mode');
  if (mode !== undefined) assert.equal(mode.currentValue, 'acceptEdits');
  assert.equal(await client.prompt(sessionId, 'say hello'), 'end_turn');
}

async function sessions(agent: CheckedAgent): Promise<void> {
  const { cwd } = agent;
  const place = { cwd, mcpServers: [] };
  let sessionId: string;
  {
    await using client = agent.connect();
    await client.initialize();
    sessionId = await client.begin(cwd);
    await client.prompt(sessionId, 'say hello');
    await client.agent.request('session/close', { sessionId });
    await refused(
      client.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'x' }] }),
      -32_002,
    );
    await client.agent.request('session/resume', { sessionId, ...place });
    assert.equal(client.of('user_message_chunk').length, 0, 'a resumed session is not told again');
    assert.equal(await client.prompt(sessionId, 'say hello'), 'end_turn');
  }
  await using later = agent.connect();
  await later.initialize();
  const listed = async () => (await later.agent.request('session/list', { cwd })).sessions;
  assert.ok((await listed()).some((each) => each.sessionId === sessionId && each.cwd === cwd));
  await refused(later.agent.request('session/list', { cwd, cursor: 'no such page' }), -32_602);
  await later.agent.request('session/load', { sessionId, ...place });
  assert.equal(later.text, 'Hello.Hello.');
  assert.equal(later.of('user_message_chunk').length, 2);
  assert.equal(await later.prompt(sessionId, 'say hello'), 'end_turn');
  await later.agent.request('session/delete', { sessionId });
  assert.ok(!(await listed()).some((each) => each.sessionId === sessionId));
}

/** Whether a request is answered with an error of this code. */
async function refused(request: Promise<unknown>, code: number): Promise<void> {
  const answer = await request.then(
    (result) => ({ result }),
    (error: unknown) => ({ code: (error as { code?: unknown }).code, message: String(error) }),
  );
  assert.equal('code' in answer ? answer.code : answer, code, JSON.stringify(answer));
}

function choose(
  { options }: RequestPermissionRequest,
  kind: PermissionOptionKind | undefined,
): RequestPermissionResponse {
  const option = options.find((each) => each.kind === kind);
  assert.ok(option, `no option of the kind ${kind}: ${JSON.stringify(options)}`);
  return { outcome: { outcome: 'selected', optionId: option.optionId } };
}

function firstFieldOf(request: object, value: string): Record<string, string> {
  const { requestedSchema } = request as { requestedSchema: { properties: Record<string, unknown> } };
  return { [Object.keys(requestedSchema.properties)[0] ?? '']: value };
}

/** What the model got as the answer to its question. */
function answerTold(client: AgentClient): string {
  return JSON.stringify(client.of('tool_call_update'));
}
