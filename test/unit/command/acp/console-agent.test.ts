import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { serveConsoleSessions } from '../../../../src/command/acp/console-agent.js';
import { AgentClient } from '../../../acp-checks/agent-client.js';
import { type ConsoleService, consoleService } from '../../../support/console-service.js';
import { settle } from '../../../support/settle.js';
import { spokenConversation } from '../../../support/spoken-conversation.js';

/** One direction between an editor and its agent; like a socket, it ends for both if one of them ends it. */
function pipe() {
  const { readable, writable } = new TransformStream<AnyMessage, AnyMessage>();
  const [writer, reader] = [writable.getWriter(), readable.getReader()];
  let end = () => {};
  const out = new ReadableStream<AnyMessage>({
    start: (controller) => {
      end = () => controller.close();
    },
    pull: async (controller) => {
      const { value } = await reader.read();
      if (value !== undefined) controller.enqueue(value);
    },
  });
  return {
    readable: out,
    writable: new WritableStream<AnyMessage>({ write: (each) => writer.write(each) }),
    end,
  };
}

/** An editor and its agent in this process. */
async function editorOn({ conversations }: ConsoleService) {
  const [here, there] = [pipe(), pipe()];
  const stream: Stream = { readable: here.readable, writable: there.writable };
  const launch = { partialMessages: true, onDiagnostic: null };
  const served = serveConsoleSessions({ stream, conversations, launch });
  const editor = new AgentClient({ readable: there.readable, writable: here.writable });
  await editor.initialize();
  return { editor, served, hangUp: here.end };
}

test('an editor talks to a conversation, even after the console has parked it and somebody has ended it', async () => {
  const service = await consoleService(spokenConversation);
  const { conversations, root } = service;
  const { editor, served, hangUp } = await editorOn(service);
  const sessionId = await editor.begin(root);
  expect(await editor.prompt(sessionId, 'Are you back?')).toBe('end_turn');
  expect(editor.text).toBe('I am back.');
  const session = conversations.all[0]?.id;
  for (const [end, said] of [
    ['park', 'I am back.I am back.'],
    ['close', 'I am back.I am back.I am back.'],
  ] as const) {
    await conversations.command(end, {}, { session });
    // The agent hears of it within a few rounds of the event loop; a message sent before would belong to neither CLI.
    await settle(100);
    expect(await editor.prompt(sessionId, 'Are you back?').catch(String)).toBe('end_turn');
    expect(editor.text).toBe(said);
  }
  hangUp();
  await served;
  expect(conversations.all.map(({ id, state }) => [id, state])).toEqual([[session, 'idle']]);
});

test('an editor is let go when the console does not accept it any longer', async () => {
  const service = await consoleService(spokenConversation);
  const { editor, served } = await editorOn(service);
  await editor.begin(service.root);
  await service.loseClients();
  await served;
});
