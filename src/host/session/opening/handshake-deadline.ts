import type { SessionOptions } from '../session-options.js';
import { mergedVariable } from './session-launch.js';

/** The default deadline of the handshake: stdio MCP servers hold old CLIs for up to 30 s. */
const DEFAULT_HANDSHAKE_MS = 60_000;

/** How long `initialize` may take: the option, else the default, which a variable of the CLI can only lengthen. */
export function handshakeDeadline(options: SessionOptions): number {
  if (options.handshakeMs !== undefined) return options.handshakeMs;
  const fromEnv = Number(mergedVariable(options, 'CLAUDE_CODE_STREAM_CLOSE_TIMEOUT'));
  return Number.isFinite(fromEnv) ? Math.max(DEFAULT_HANDSHAKE_MS, fromEnv) : DEFAULT_HANDSHAKE_MS;
}
