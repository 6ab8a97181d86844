import { join } from 'node:path';
import type { Session } from '../../../src/host/session/session.js';
import { text, toolUse } from '../../../src/lab/testing/model/replies.js';
import type { RealPlace } from './real-session.js';

/** An MCP server whose tool tells its process id. */
export const pidServer = {
  command: process.execPath,
  args: [join(process.cwd(), 'test/fixtures/mcp/pid.mjs')],
};

/** An MCP server that cannot start. */
export const brokenServer = { command: process.execPath, args: ['-e', 'process.exit(3)'] };

/** Lets the model call a tool in a separate turn, and returns the tool's result. */
export async function resultOfTool(
  { model }: RealPlace,
  session: Session,
  tool = 'mcp__pid__whoami',
): Promise<string> {
  const script = model.play([
    { when: 'call it', reply: toolUse(tool, {}) },
    { when: { toolResult: /./ }, reply: text('Done.') },
  ]);
  await session.send('call it').text();
  script.assertFinished();
  return model.lastRequest()?.toolResults.at(-1)?.text ?? '';
}
