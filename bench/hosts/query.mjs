// A host with the official SDK's names: the official SDK itself, or our `coxswain/compat`.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const peers = createRequire(new URL('../../test/peers/package.json', import.meta.url));

export const officialModule = () => pathToFileURL(peers.resolve('@anthropic-ai/claude-agent-sdk')).href;
export const compatModule = () => import.meta.resolve('coxswain/compat');

export const openWith = (moduleUrl) => async (wishes) => {
  const sdk = await import(moduleUrl());
  const { cli, cwd, env = process.env, tool, signal, options = {} } = wishes;
  const input = new Input();
  const abortController = new AbortController();
  signal?.addEventListener('abort', () => abortController.abort());
  const query = sdk.query({
    prompt: input,
    options: {
      pathToClaudeCodeExecutable: cli,
      cwd,
      env,
      abortController,
      includePartialMessages: true,
      canUseTool: async (_name, toolInput) => ({ behavior: 'allow', updatedInput: toolInput }),
      hooks: { PreToolUse: [{ hooks: [async () => ({ continue: true })] }] },
      ...(tool ? { mcpServers: { bench: await toolServer(sdk, tool) } } : {}),
      ...options,
    },
  });
  await query.initializationResult();
  const start = (text) => {
    input.push({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null });
    return query;
  };
  return {
    start,
    // Leaving the loop ends a query; without a `return` method the query is not told.
    more(text) {
      const messages = start(text);
      return { [Symbol.asyncIterator]: () => ({ next: () => messages.next() }) };
    },
    control: () => query.setModel('m'),
    async close() {
      input.end();
      await query.return?.();
    },
  };
};

async function toolServer(sdk, run) {
  const { z } = await import(pathToFileURL(peers.resolve('zod')).href);
  const echo = sdk.tool('echo', 'Says it again', { text: z.string() }, async (input) => run(input));
  return sdk.createSdkMcpServer({ name: 'bench', version: '1.0.0', tools: [echo] });
}

/** User messages, as they are pushed. */
class Input {
  #items = [];
  #wake = () => {};
  #ended = false;

  push(item) {
    this.#items.push(item);
    this.#wake();
  }

  end() {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift();
      if (this.#ended) return;
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
