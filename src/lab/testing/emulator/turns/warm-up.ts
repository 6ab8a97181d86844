import { randomBytes } from 'node:crypto';
import { fireHooks } from '../asking/emulated-hooks.js';
import type { Cli } from '../cli.js';
import { transcriptPath } from '../versions/model-id.js';
import { Turn } from './emulated-turn.js';

/** 2.0.73 warms up two agents that nobody asked for; hosts see their hooks. */
export async function warmUpAgents(cli: Cli): Promise<void> {
  const turn = new Turn([], cli.clock.now());
  const agents = ['Explore', 'Plan'].map((type) => ({ type, id: randomBytes(4).toString('hex').slice(1) }));
  for (const { type, id } of agents) {
    await fireHooks(cli, turn, { event: 'SubagentStart', input: { agent_id: id, agent_type: type } });
  }
  for (const { id } of agents) {
    const path = transcriptPath(cli).replace(/[^/]+$/, `agent-${id}.jsonl`);
    const input = { stop_hook_active: false, agent_id: id, agent_transcript_path: path };
    await fireHooks(cli, turn, { event: 'SubagentStop', input });
  }
}
