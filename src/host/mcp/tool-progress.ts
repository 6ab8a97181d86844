import type { WireObject } from '../../wire/protocol/frames.js';
import type { ToolProgress } from './tool.js';

/** The progress notification of a call; undefined if the client sent no token and so wants none. */
export function progressNotification(
  meta: WireObject,
  done: number,
  { total, message }: ToolProgress = {},
): { readonly method: 'notifications/progress'; readonly params: ProgressParams } | undefined {
  const { progressToken } = meta;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined;
  const more = { ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
  return { method: 'notifications/progress', params: { progressToken, progress: done, ...more } };
}

interface ProgressParams {
  readonly [key: string]: unknown;
  readonly progressToken: string | number;
  readonly progress: number;
}

/** The id of the model's tool call, if the CLI reports it. */
export function toolUseIdIn(meta: WireObject): string | undefined {
  const id = meta['claudecode/toolUseId'];
  return typeof id === 'string' ? id : undefined;
}
