// Managers of a fleet and of a console are managers; what does not reach the server is refused by the types.
import { type Manager, openManager } from 'coxswain/manager';

export async function managers(): Promise<readonly Manager[]> {
  const here = await openManager({
    store: 'conversations',
    defaults: { onPermission: (prompt) => prompt.allow() },
  });
  const fleet = await openManager({
    fleet: { nats: 'nats://127.0.0.1:4222' },
    defaults: { model: 'sonnet' },
  });
  fleet.conversation('one', { owner: 'team', priority: 1, maxTurns: 3 });
  // @ts-expect-error: a function stays in the program
  fleet.conversation('one', { onPermission: (prompt: { allow(): never }) => prompt.allow() });
  // @ts-expect-error: workers have their own servers
  fleet.conversation('one', { mcpServers: {} });
  const console = await openManager({ console: { url: 'http://127.0.0.1:7420', token: 'secret' } });
  console.conversation('one', { model: 'sonnet', workspace: 'worktree' });
  // @ts-expect-error: a function stays in the program
  console.conversation('one', { onPermission: (prompt: { allow(): never }) => prompt.allow() });
  return [here, fleet, console];
}
