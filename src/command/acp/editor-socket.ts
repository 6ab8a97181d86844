import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { WebSocket } from 'ws';
import type { Conversations } from '../../server/console/service/conversations.js';
import { Outlet } from '../../server/console/socket/outlet.js';
import type { LaunchOptions } from '../../server/manager/manager-options.js';
import { type Clock, systemClock } from '../../wire/util/clock.js';

/** How editor sessions are started: with partial messages. */
const EDITOR: LaunchOptions = { partialMessages: true, onDiagnostic: null };

/** Serves an editor that connected to a console by socket. */
export async function serveEditor(socket: WebSocket, conversations: Conversations): Promise<void> {
  // Immediately, so nothing is missed; the protocol's library is loaded when an editor connects.
  const stream = socketStream(socket);
  const { serveConsoleSessions } = await import('./console-agent.js');
  await serveConsoleSessions({ stream, conversations, launch: EDITOR });
}

/**
 * A socket as a stream of messages, one per text frame. While too much waits for the editor, writes wait and nothing
 * is read from it: each request would add an answer.
 */
export function socketStream(socket: WebSocket, clock: Clock = systemClock): Stream {
  const outlet = new Outlet(socket, clock);
  socket.on('close', () => outlet.end());
  return {
    readable: messagesFrom(socket),
    writable: new WritableStream<AnyMessage>({
      write: async (message) => {
        outlet.sendEvent(JSON.stringify(message));
        if (outlet.writable) return;
        socket.pause();
        await outlet.drained();
        socket.resume();
      },
      close: () => socket.close(),
      abort: () => socket.terminate(),
    }),
  };
}

function messagesFrom(socket: WebSocket): ReadableStream<AnyMessage> {
  // Frames still arrive while the socket closes, and a cancelled stream takes none.
  let isOver = false;
  return new ReadableStream<AnyMessage>({
    start: (controller) => {
      socket.on('message', (data, isBinary) => {
        if (isOver) return;
        const message = isBinary ? undefined : parse(String(data));
        if (message === undefined) socket.close(UNREADABLE, 'not JSON');
        else controller.enqueue(message);
      });
      socket.on('close', () => {
        if (!isOver) controller.close();
      });
    },
    cancel: () => {
      isOver = true;
      socket.close();
    },
  });
}

const UNREADABLE = 1007;

function parse(text: string): AnyMessage | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
