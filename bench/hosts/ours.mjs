import { tool as makeTool, mcpServer, openSession } from 'coxswain';

export async function open({ cli, cwd, env, tool, signal, options = {} }) {
  const session = await openSession({
    cli,
    cwd,
    signal,
    partialMessages: true,
    ...(env ? { env } : {}),
    onPermission: async (prompt) => prompt.allow(),
    hooks: { PreToolUse: [{ run: async () => ({ continue: true }) }] },
    ...(tool ? { mcpServers: { bench: await toolServer(tool) } } : {}),
    ...options,
  });
  return {
    start: (text) => session.send(text),
    more: (text) => session.send(text),
    control: () => session.setModel('m'),
    close: () => session.close(),
  };
}

async function toolServer(run) {
  const { z } = await import('zod');
  const input = z.object({ text: z.string() });
  return mcpServer('bench', [makeTool({ name: 'echo', description: 'Says it again', input, run })]);
}
