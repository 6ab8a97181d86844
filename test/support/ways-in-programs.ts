import type {
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { serveConsoleSessions } from '../../src/command/acp/console-agent.js';
import { socketStream } from '../../src/command/acp/editor-socket.js';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { AnyPrompt } from '../../src/host/session/prompts/open-prompts.js';
import type { Session } from '../../src/host/session/session.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import type { ServeSocket } from '../../src/server/console/http/other-sockets.js';
import type { Console } from '../../src/server/console/start-console.js';
import { toolLabel } from '../../src/wire/protocol/tool-label.js';
import { type Deferred, deferred } from '../../src/wire/util/deferred.js';
import type { AgentClient } from '../acp-checks/agent-client.js';
import { bySocket } from './acp-consoles.js';
import type { Said, WayIn } from './ways-in.js';

/** A session of a program, whose CLI runs on the server. */
export function overRemote({ url }: Pick<Console, 'url'>): WayIn {
  let session: Session | undefined;
  let turn: Turn | undefined;
  let text = '';
  const opened = () => session ?? fail('no session is open');
  const paused = async (): Promise<Said> => {
    const asks = new Promise<void>((resolve) => {
      const stop = opened().on('prompt', ({ state }) => {
        if (state === 'open') resolve();
      });
      void turn?.outcome.then(() => resolve()).finally(stop);
    });
    await asks;
    const said = {
      text,
      prompts: opened().prompts.open.map((prompt) => ({ id: prompt.id, headline: headline(prompt) })),
    };
    text = '';
    return said;
  };
  return {
    open: async (cwd) => {
      session = await openSession({ remote: url, cwd, prompts: 'manual' });
      onTestFinished(async () => void (await session?.close()));
      session.on('message', (message) => {
        if (message.type === 'assistant') text += textIn(message.message.content);
      });
    },
    ask: (message) => {
      turn = opened().send(message);
      return paused();
    },
    answer: (id, answer) => {
      const prompt = opened().prompts.find(id);
      if (prompt?.kind === 'permission') prompt.allow();
      if (prompt?.kind === 'question' && answer.answer === 'choices') prompt.answer(answer.choices);
      return paused();
    },
    askAndInterrupt: async (message) => {
      turn = opened().send(message);
      for await (const { type } of turn) if (type === 'assistant') break;
      const { interrupted } = await opened().interrupt();
      await paused();
      return { interrupted };
    },
    close: async () => void (await opened().close()),
    reopen: async () => void (await opened().reopen()),
  };
}

/** What a console started by the command line serves to editors. */
export const editorSockets: Readonly<Record<string, ServeSocket>> = {
  '/acp': (socket, conversations) =>
    serveConsoleSessions({
      stream: socketStream(socket),
      conversations,
      launch: { partialMessages: true, onDiagnostic: null },
    }),
};

/** An editor, over the Agent Client Protocol. */
export function overAcp({ origin: url, token }: Pick<Console, 'origin' | 'token'>): WayIn {
  let editor: AgentClient | undefined;
  let place = { cwd: '', mcpServers: [] as never[] };
  let sessionId = '';
  let turn: Promise<unknown> = Promise.resolve();
  let read = 0;
  let asked: Deferred<Said['prompts']> = deferred();
  let given: Deferred<never> = deferred();
  const ask = (id: string, label: string): Promise<never> => {
    given = deferred();
    asked.resolve([{ id, headline: label }]);
    return given.promise;
  };
  const connect = async (): Promise<AgentClient> => {
    editor = bySocket({ url, token })({
      permission: (request): Promise<RequestPermissionResponse> =>
        ask(request.toolCall.toolCallId, titleOf(request)),
      elicitation: (): Promise<CreateElicitationResponse> => ask('form', 'A form'),
    });
    await editor.initialize({ elicitation: { form: {} } });
    return editor;
  };
  const client = () => editor ?? fail('no editor is connected');
  const paused = async (): Promise<Said> => {
    asked = deferred();
    const prompts = await Promise.race([turn.then(() => []), asked.promise]);
    const text = client().text.slice(read);
    read = client().text.length;
    return { text, prompts };
  };
  const start = (message: string) => {
    turn = client().prompt(sessionId, message);
  };
  onTestFinished(async () => void (await editor?.[Symbol.asyncDispose]()));
  return {
    open: async (cwd) => {
      place = { ...place, cwd };
      sessionId = await (await connect()).begin(cwd);
    },
    ask: (message) => {
      start(message);
      return paused();
    },
    answer: (_id, answer) => {
      const form = client().forms.at(-1) as
        | { readonly requestedSchema?: { readonly properties?: object } }
        | undefined;
      const [field = ''] = Object.keys(form?.requestedSchema?.properties ?? {});
      const [choice] = answer.answer === 'choices' ? Object.values(answer.choices) : [];
      const option = client()
        .permissions.at(-1)
        ?.options.find(({ kind }) => kind === 'allow_once');
      const response =
        answer.answer === 'choices'
          ? { action: 'accept', content: { [field]: choice } }
          : { outcome: { outcome: 'selected', optionId: option?.optionId } };
      const said = paused();
      given.resolve(response as never);
      return said;
    },
    askAndInterrupt: async (message) => {
      start(message);
      await client().until(() => client().text.length > read);
      await client().agent.notify('session/cancel', { sessionId });
      const interrupted = (await turn) === 'cancelled';
      read = client().text.length;
      return { interrupted };
    },
    close: async () => void (await client().agent.request('session/close', { sessionId })),
    reopen: async () => void (await client().agent.request('session/resume', { sessionId, ...place })),
  };
}

function fail(message: string): never {
  throw new Error(message);
}

function headline(prompt: AnyPrompt): string {
  return prompt.kind === 'permission' ? toolLabel(prompt.tool, prompt.input) : prompt.kind;
}

function titleOf({ toolCall }: RequestPermissionRequest): string {
  return String(toolCall.title);
}

function textIn(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [];
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
