import { randomUUID } from 'node:crypto';
import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { CommandName, PromptAnswer, SessionSummary } from '../../../entry/remote/contract.js';
import { progressNotification } from '../../../host/mcp/tool-progress.js';
import type { Clock } from '../../../wire/util/clock.js';
import { commands } from '../commands/command-table.js';
import { commandError } from '../commands/errors.js';
import type { Conversations } from '../service/conversations.js';
import { waitFor } from './waiting.js';

/** The dependencies of the MCP server. */
export interface McpParts {
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly version: string;
}

const INSTRUCTIONS = `Conversations with Claude CLIs that a console server owns. Open one with open_conversation and send messages with ask. When the answer has
prompts, decide each with answer_prompt and wait with watch. A turn that runs longer than you wait continues: watch it.`;

const WAIT_S = 60;

/** Creates a server whose tools use a console's conversations. Loads the MCP package and zod. */
export async function makeMcpServer(parts: McpParts): Promise<McpServer> {
  const { McpServer } = await import('@modelcontextprotocol/server');
  const { toolInputs } = await import('./tools.schemas.js');
  const server = new McpServer({ name: 'coxswain', version: parts.version }, { instructions: INSTRUCTIONS });
  for (const [name, tool] of Object.entries(tools)) {
    const reads = tool.command === undefined || !commands[tool.command].acts;
    server.registerTool(
      name,
      {
        description: tool.about,
        inputSchema: toolInputs[name as keyof typeof toolInputs] as StandardSchemaWithJSON,
        annotations: { readOnlyHint: reads, openWorldHint: !reads },
      },
      (input: unknown, context: ServerContext) => answer(() => tool.run(input as never, parts, context)),
    );
  }
  return server;
}

/** Anything a tool may not or could not do is reported as a failed call, with the error's code. */
async function answer(run: () => Promise<object>): Promise<CallToolResult> {
  try {
    const value = await run();
    return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value } };
  } catch (error) {
    const { code, message } = commandError(error);
    return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }] };
  }
}

interface ToolDefinition {
  readonly about: string;
  /** The command that it runs; without one, it only reads. */
  readonly command?: CommandName;
  readonly run: (input: never, parts: McpParts, context: ServerContext) => Promise<object>;
}

interface Named {
  readonly conversation: string;
}

const tools: Readonly<Record<string, ToolDefinition>> = {
  list_conversations: {
    about: 'List the conversations of the console, latest first.',
    run: async ({ state }: { state?: string }, { conversations: { all } }) => {
      const found = all.filter((each) => state === undefined || each.state === state);
      return { conversations: found.slice(0, 100).map(brief), more: found.length > 100 };
    },
  },
  open_conversation: {
    command: 'open',
    about: 'Open a conversation with a Claude CLI in a folder; returns its id.',
    run: async (input: { cwd: string }, { conversations }) => {
      const { session } = await conversations.command('open', input);
      return { conversation: session };
    },
  },
  ask: {
    command: 'send',
    about: 'Send a message to a conversation, and wait for the answer or for its prompts.',
    run: async (input: Named & { message: string; timeoutSeconds?: number }, parts, context) => {
      const { conversations } = parts;
      const { last } = await conversations.find(input.conversation);
      const message = randomUUID();
      const sent = { content: input.message, reopen: true };
      await conversations.command('send', sent, { session: input.conversation, id: message });
      return wait({ ...input, after: last, message }, parts, context);
    },
  },
  watch: {
    about: 'Wait until a conversation answers or asks something; returns what happened since.',
    run: async (input: Named & { after?: number; timeoutSeconds?: number }, parts, context) => {
      const { last } = await parts.conversations.find(input.conversation);
      return wait({ ...input, after: input.after ?? last }, parts, context);
    },
  },
  answer_prompt: {
    command: 'answer',
    about: 'Answer a prompt: allow or deny a tool, choose answers to a question, approve or reject a plan.',
    run: ({ conversation, prompt, answer: given }: Named & { prompt: string; answer: PromptAnswer }, parts) =>
      parts.conversations.command('answer', { prompt, answer: given }, { session: conversation }),
  },
  interrupt: {
    command: 'interrupt',
    about: 'Stop the running turn of a conversation.',
    run: ({ conversation }: Named, { conversations }) =>
      conversations.command('interrupt', {}, { session: conversation }),
  },
  close_conversation: {
    command: 'close',
    about: 'End a conversation; it stays listed and can be reopened.',
    run: async ({ conversation }: Named, { conversations }) => {
      await conversations.command('close', {}, { session: conversation });
      return { conversation, state: 'ended' };
    },
  },
  reopen_conversation: {
    command: 'reopen',
    about: 'Reopen an ended conversation where it left off.',
    run: async ({ conversation }: Named, { conversations }) => {
      await conversations.command('reopen', {}, { session: conversation });
      return { conversation, state: 'idle' };
    },
  },
};

interface Wanted extends Named {
  readonly after: number;
  readonly message?: string;
  readonly timeoutSeconds?: number;
}

function wait(
  { conversation, after, message, timeoutSeconds = WAIT_S }: Wanted,
  parts: McpParts,
  context: ServerContext,
) {
  const { signal, notify, _meta: meta = {} } = context.mcpReq;
  let said = 0;
  const onText = (text: string) => {
    said += 1;
    const progress = progressNotification(meta, said, { message: text.slice(0, 1_000) });
    // Nothing depends on whether the client receives it.
    if (progress !== undefined && !signal.aborted) notify(progress).catch(() => {});
  };
  return waitFor(parts.conversations, {
    conversation,
    after,
    message,
    timeoutMs: timeoutSeconds * 1_000,
    signal,
    clock: parts.clock,
    onText,
  });
}

function brief({ id, title, cwd, state, model, costUsd, prompts, last }: SessionSummary) {
  return { conversation: id, title, cwd, state, model, costUsd, prompts, last };
}
