import type { Manager } from '../../server/manager/manager.js';
import type { AcpConversations } from './open-sessions.js';

/** The conversations of a manager; an agent's sessions are named by their ids. */
export function managedConversations(manager: Manager): AcpConversations {
  const stateOf = (id: string) => manager.list().find(({ name }) => name === id)?.state;
  return {
    has: (id) => stateOf(id) !== undefined,
    open: async (id, options) => {
      const state = stateOf(id);
      const isRunning = state === 'starting' || state === 'running';
      const talk = isRunning ? manager.find(id) : manager.conversation(id, { ...options, id });
      return { talk, cli: await talk.wake() };
    },
    delete: (id) => manager.delete(id),
  };
}
