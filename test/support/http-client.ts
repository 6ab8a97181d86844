import { request } from 'node:http';
import type { Console } from '../../src/server/console/start-console.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';

interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: WireObject;
  readonly text: string;
}

/** A plain client of the HTTP API. */
export class HttpClient {
  readonly #server: Pick<Console, 'origin' | 'token' | 'port'>;

  constructor(server: Pick<Console, 'origin' | 'token' | 'port'>) {
    this.#server = server;
  }

  /** `POST /conversations`, sent to the API. */
  async ask(what: string, { body, headers = {}, token = this.#server.token }: Asked = {}): Promise<Answer> {
    const [method = 'GET', path = ''] = what.split(' ');
    const isText = typeof body === 'string';
    const answer = await fetch(`${this.#server.origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  /** Sent without what fetch would correct, such as the Host header. */
  raw(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> {
    const { port } = this.#server;
    return new Promise((resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port, path: `/api/v1${path}`, method, headers },
        (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode ?? 0));
        },
      );
      asked.on('error', reject);
      asked.end();
    });
  }

  /** Reads server-sent events until the stream ends, or enough were seen. */
  async *events(
    path: string,
    { headers = {}, token = this.#server.token }: Omit<Asked, 'body'> = {},
  ): AsyncGenerator<{ readonly id: number | undefined; readonly name: string; readonly data: WireObject }> {
    const leaving = new AbortController();
    const answer = await fetch(`${this.#server.origin}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: leaving.signal,
    });
    if (answer.status !== 200 || answer.body === null)
      throw new Error(`${answer.status} ${await answer.text()}`);
    try {
      let text = '';
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
        const blocks = `${text}${chunk}`.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const fields = new Map(block.split('\n').map((line) => split(line)));
          const data = fields.get('data');
          const id = fields.get('id');
          if (data === undefined) continue;
          yield {
            id: id === undefined ? undefined : Number(id),
            name: fields.get('event') ?? 'message',
            data: JSON.parse(data),
          };
        }
      }
    } finally {
      leaving.abort();
    }
  }
}

function split(line: string): readonly [string, string] {
  const at = line.indexOf(': ');
  return [line.slice(0, at), line.slice(at + 2)];
}
