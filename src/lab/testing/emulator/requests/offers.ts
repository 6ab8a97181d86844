import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { Cli } from '../cli.js';

/** The slash commands that newer CLIs offer. */
export const slashCommands: readonly WireObject[] = [
  { name: 'compact', description: 'Shortens the conversation', argumentHint: '', builtin: true },
];

/** The models that old CLIs offer. */
export const oldModels: readonly WireObject[] = [
  { value: 'default', displayName: 'Default (recommended)', description: 'The default model' },
  { value: 'opus', displayName: 'Opus', description: 'The large model' },
  { value: 'haiku', displayName: 'Haiku', description: 'The small model' },
];

const efforts = {
  supportsEffort: true,
  supportedEffortLevels: ['low', 'medium', 'high'],
  supportsAdaptiveThinking: true,
  supportsFastMode: true,
  supportsAutoMode: true,
  supportsThinkingOff: false,
} as const;

/** The models that newer CLIs offer. */
export const newModels: readonly WireObject[] = [
  { value: 'default', displayName: 'Default (recommended)', description: 'The default model' },
  { value: 'opus', displayName: 'Opus', description: 'The large model' },
  { value: 'sonnet', displayName: 'Sonnet', description: 'The middle model' },
].map((model) => ({
  ...model,
  resolvedModel: model.value === 'sonnet' ? 'claude-sonnet-5-5' : 'claude-opus-5-5',
  ...efforts,
}));

/** The CLI's agents and those that the host declared. */
export function agentList({ state }: Cli): readonly WireObject[] {
  const own = Object.entries(state.agents).map(([name, agent]) => ({
    name,
    description: isObject(agent) ? String(agent.description ?? '') : '',
  }));
  return [{ name: 'general-purpose', description: 'Does anything' }, ...own];
}
