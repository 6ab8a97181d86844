import { test } from 'vitest';
import { startEmulatedConsole } from '../support/console.js';
import { spokenConversation } from '../support/spoken-conversation.js';
import { holdConversation, overHttp, overMcp, overSocket } from '../support/ways-in.js';
import { editorSockets, overAcp, overRemote } from '../support/ways-in-programs.js';

test.each([
  ['HTTP', overHttp],
  ['a socket', overSocket],
  ['MCP', overMcp],
  ['a remote session', overRemote],
  ['the Agent Client Protocol', overAcp],
] as const)('a whole conversation is held over %s', async (_name, over) => {
  const { server, root } = await startEmulatedConsole(spokenConversation, { sockets: editorSockets });
  await holdConversation(over(server), root);
});
