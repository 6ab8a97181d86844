import { randomUUID } from 'node:crypto';
import type { WireObject } from '../../../../wire/protocol/frames.js';
import { systemMessage } from '../../builders/system.js';
import { userMessage } from '../../builders/user.js';
import { fireHooks } from '../asking/emulated-hooks.js';
import { type Cli, resolvedModel, type Scene } from '../cli.js';
import { callModel } from './call-model.js';
import { systemPrompt } from './system-prompt.js';
import { toolsOf } from './tool-list.js';

const ASK = 'Sum up this conversation. Use no tool.';
const INTRODUCTION = 'The conversation so far, in short:';

/** Lets the model summarize the conversation; from then on, the summary is its only context. */
export async function compact(scene: Scene): Promise<void> {
  const { cli, turn } = scene;
  const { state, traits } = cli;
  const begun = cli.clock.now();
  const kept = state.conversation.length;
  // Newer versions report first, older ones ask first.
  if (traits.detailed) await tell(cli, { status: 'compacting' });
  const trigger = { trigger: 'manual', custom_instructions: traits.detailed ? null : '' };
  await fireHooks(cli, turn, { event: 'PreCompact', input: trigger });
  if (!traits.detailed) await tell(cli, { status: 'compacting' });
  const summary = await sumUp(scene);
  state.conversation.splice(0, kept, { role: 'user', content: `${INTRODUCTION}\n${summary}` });
  const model = traits.survivesLostReader ? { model: resolvedModel(cli) } : {};
  await fireHooks(cli, turn, { event: 'SessionStart', input: { source: 'compact', ...model } });
  await fireHooks(cli, turn, {
    event: 'PostCompact',
    input: { trigger: 'manual', compact_summary: summary },
  });
  await tell(cli, { status: null, ...(traits.detailed ? { compact_result: 'success' } : {}) });
  if (!traits.tellsCompaction) return;
  await cli.send(boundary(cli, { kept, ms: cli.clock.now() - begun }));
  const mark = traits.detailed ? { isSynthetic: true } : {};
  await cli.send(userMessage(`${INTRODUCTION}\n${summary}`, { ...mark, session_id: state.sessionId }));
  await cli.send(printed(cli, 'Compacted'));
}

async function sumUp({ cli, turn }: Scene): Promise<string> {
  const messages = [...cli.state.conversation, { role: 'user', content: ASK }];
  const { blocks } = await callModel(cli, turn, {
    system: systemPrompt(cli),
    messages,
    tools: toolsOf(cli, turn),
    isTold: false,
  });
  return blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}

async function tell(cli: Cli, status: WireObject): Promise<void> {
  if (!cli.traits.tellsCompaction) return;
  await cli.send(systemMessage('status', { ...status, session_id: cli.state.sessionId }));
}

/** The token counts are made up; newer versions also report what was kept verbatim. */
function boundary(
  { state, traits }: Cli,
  { kept, ms }: { readonly kept: number; readonly ms: number },
): WireObject {
  const anchor = randomUUID();
  const [head, tail] = [randomUUID(), randomUUID()];
  const preserved = {
    preserved_segment: { head_uuid: head, anchor_uuid: anchor, tail_uuid: tail },
    preserved_messages: { anchor_uuid: anchor, uuids: [head, tail], all_uuids: [head, tail] },
  };
  const details = {
    post_tokens: 20,
    cumulative_dropped_tokens: 0,
    duration_ms: Math.round(ms),
    ...(kept > 2 ? preserved : {}),
  };
  const metadata = { trigger: 'manual', pre_tokens: 20 * kept, ...(traits.detailed ? details : {}) };
  return systemMessage('compact_boundary', {
    compact_metadata: metadata,
    ...(traits.detailed ? { logical_parent_uuid: anchor } : {}),
    session_id: state.sessionId,
  });
}

/** A line that a command printed. */
export function printed({ state }: Cli, text: string): WireObject {
  const content = `<local-command-stdout>${text}</local-command-stdout>`;
  return userMessage(content, { isReplay: true, session_id: state.sessionId });
}
