import { resolve } from 'node:path';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { WebSocket } from 'ws';
import { AgentClient, type ClientAnswers, StartedAgent } from '../acp-checks/agent-client.js';
import type { AcpPlace } from './acp-places.js';
import { startCoxProcess } from './cox-process.js';

/** A running console; when it is disposed, it has stopped. */
export interface ServedConsole extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly watchUrl: string;
}

/** Starts a console as users do. It keeps its state in the place, so it must end before that is removed. */
export async function startedConsole(place: AcpPlace, cli: string): Promise<ServedConsole> {
  const args = ['console', '--json', '--watch', '--port', '0', '--root', place.cwd, '--cli', cli];
  const env = place.env as Record<string, string>;
  const cox = startCoxProcess([...args, '--state', `${env.HOME}/state`], { env });
  await cox.until('}\n');
  const { origin: url, token, watchUrl } = JSON.parse(cox.out);
  const end = async () => {
    cox.kill('SIGTERM');
    await cox.exited;
  };
  return { url, token, watchUrl, [Symbol.asyncDispose]: end };
}

/** The address of the socket for editors. */
export function socketAddress({ url }: Pick<ServedConsole, 'url'>): string {
  return `${url.replace('http', 'ws')}/acp`;
}

/** Editors that connect by socket, with the protocol's own library. */
export function bySocket(served: Pick<ServedConsole, 'url' | 'token'>) {
  const options = {
    headers: { authorization: `Bearer ${served.token}` },
    WebSocket: WebSocket as never,
    cookies: 'omit',
  } as const;
  return (answers?: ClientAnswers) =>
    new AgentClient(createWebSocketStream(socketAddress(served), options) as never, answers);
}

/** Editors that start an agent, which connects to the console. */
export function byPipe(place: AcpPlace, { url, token }: ServedConsole) {
  const args = [resolve('dist/command.js'), 'acp', '--url', url];
  const env = { ...place.env, COXSWAIN_TOKEN: token };
  return (answers?: ClientAnswers) =>
    new StartedAgent({ file: process.execPath, args, cwd: place.cwd, env }, answers);
}
