// The limit of Node: spawn, split, JSON.parse, minimal dispatch, an awaited callback. No deadlines, no limits, no checks.
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

const FLAGS = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

export async function open({ cli, args = FLAGS, env = process.env, cwd, tool }) {
  const child = spawn(cli, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  const messages = new Queue();
  const send = joinedWrites(child.stdin);
  const callbacks = {
    can_use_tool: async ({ input }) => ({ behavior: 'allow', updatedInput: input }),
    hook_callback: async () => ({ continue: true }),
    mcp_message: ({ message }) => serve(message, tool),
  };
  let number = 0;
  const request = (body) => {
    number += 1;
    const id = `r${number}`;
    send({ type: 'control_request', request_id: id, request: body });
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  const answer = async ({ request_id: id, request: body }) => {
    const response = await callbacks[body.subtype](body);
    send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
  };
  readLines(child.stdout, (line) => {
    const frame = JSON.parse(line);
    if (frame.type === 'control_response') {
      const { request_id: id, response } = frame.response;
      waiting.get(id)?.(response);
      waiting.delete(id);
    } else if (frame.type === 'control_request') void answer(frame);
    else messages.push(frame);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await request({
    subtype: 'initialize',
    hooks: { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] },
    sdkMcpServers: tool ? ['bench'] : [],
  });
  const start = (text) => {
    const message = { role: 'user', content: text };
    send({ type: 'user', message, parent_tool_use_id: null, session_id: '' });
    return messages;
  };
  return {
    start,
    more: start,
    control: () => request({ subtype: 'set_model', model: 'm' }),
    close() {
      child.stdin.end();
      return ended;
    },
  };
}

/** A minimal MCP server: one tool, its result unchanged. */
async function serve({ id = 0, method, params }, tool) {
  const result = method === 'tools/call' ? await tool(params.arguments) : {};
  return { mcp_response: { jsonrpc: '2.0', id, result } };
}

/** Lines sent in the same tick share one write. */
function joinedWrites(stream) {
  let text = '';
  const flush = () => {
    stream.write(text);
    text = '';
  };
  return (frame) => {
    if (text === '') process.nextTick(flush);
    text += `${JSON.stringify(frame)}\n`;
  };
}

/** A chunk is decoded once, and lines are slices of its text. */
function readLines(stream, take) {
  const decoder = new StringDecoder('utf8');
  let pieces = [];
  stream.on('data', (chunk) => {
    const text = decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = text.slice(start, end);
      if (pieces.length === 0) take(line);
      else {
        take(`${pieces.join('')}${line}`);
        pieces = [];
      }
      start = end + 1;
    }
    if (start < text.length) pieces.push(text.slice(start));
  });
}

class Queue {
  #items = [];
  #next = 0;
  #wake;

  push(item) {
    if (this.#wake === undefined) this.#items.push(item);
    else {
      const wake = this.#wake;
      this.#wake = undefined;
      wake({ value: item, done: false });
    }
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  next() {
    if (this.#next === this.#items.length) {
      this.#items = [];
      this.#next = 0;
      return new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#items[this.#next];
    this.#items[this.#next] = undefined;
    this.#next += 1;
    return Promise.resolve({ value, done: false });
  }

  return() {
    return Promise.resolve({ value: undefined, done: true });
  }
}
