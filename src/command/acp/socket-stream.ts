import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import type { WebSocket } from 'ws';

/** A socket as a stream of messages, one per text frame; a write waits until its message has been sent. */
export function socketStream(socket: WebSocket): Stream {
  return {
    readable: new ReadableStream<AnyMessage>({
      start: (controller) => {
        socket.on('message', (data, isBinary) => {
          const message = isBinary ? undefined : parse(String(data));
          if (message === undefined) socket.close(UNREADABLE, 'not JSON');
          else controller.enqueue(message);
        });
        socket.on('close', () => controller.close());
      },
      cancel: () => socket.close(),
    }),
    writable: new WritableStream<AnyMessage>({
      write: (message) =>
        new Promise((resolve, reject) => {
          socket.send(JSON.stringify(message), (error) => (error ? reject(error) : resolve()));
        }),
      close: () => socket.close(),
      abort: () => socket.terminate(),
    }),
  };
}

const UNREADABLE = 1007;

function parse(text: string): AnyMessage | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
