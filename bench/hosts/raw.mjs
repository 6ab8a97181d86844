// The limit of Node: spawn, split, JSON.parse, and the least dispatch that answers. No deadlines, no bounds, no checks.
import { spawn } from 'node:child_process';

const FLAGS = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

export async function open({ cli, args = FLAGS, env = process.env, cwd, tool }) {
  const child = spawn(cli, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  const messages = new Queue();
  let number = 0;
  const send = (frame) => child.stdin.write(`${JSON.stringify(frame)}\n`);
  const request = (body) => {
    number += 1;
    const id = `r${number}`;
    send({ type: 'control_request', request_id: id, request: body });
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  const take = (line) => {
    const frame = JSON.parse(line);
    if (frame.type === 'control_response') {
      const { request_id: id, response } = frame.response;
      waiting.get(id)?.(response);
      waiting.delete(id);
    } else if (frame.type === 'control_request') {
      const response = answer(frame.request, tool);
      send({
        type: 'control_response',
        response: { subtype: 'success', request_id: frame.request_id, response },
      });
    } else messages.push(frame);
  };
  split(child.stdout, take);
  const ended = new Promise((resolve) => child.once('close', resolve));
  await request({
    subtype: 'initialize',
    hooks: { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] },
    sdkMcpServers: tool ? ['bench'] : [],
  });
  return {
    start(text) {
      send({
        type: 'user',
        message: { role: 'user', content: text },
        parent_tool_use_id: null,
        session_id: '',
      });
      return messages;
    },
    control: () => request({ subtype: 'set_model', model: 'm' }),
    close() {
      child.stdin.end();
      return ended;
    },
  };
}

function answer(request, tool) {
  if (request.subtype === 'can_use_tool') return { behavior: 'allow', updatedInput: request.input };
  if (request.subtype === 'hook_callback') return { continue: true };
  const { id, method, params } = request.message;
  if (method === 'tools/call')
    return { mcp_response: { jsonrpc: '2.0', id, result: tool(params.arguments) } };
  return { mcp_response: { jsonrpc: '2.0', id: id ?? 0, result: {} } };
}

function split(stream, take) {
  let rest = [];
  stream.on('data', (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const part = chunk.subarray(start, end);
      take(rest.length === 0 ? part.toString() : Buffer.concat([...rest, part]).toString());
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
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
