import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SessionOptions } from '../../host/session/session-options.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';

/** Flags that take a JSON file, or JSON itself. */
interface FileFlags {
  readonly mcpConfig?: readonly string[];
  readonly jsonSchema?: string;
}

/** Reads the files that flags name. @throws CoxswainError `OPTION_INVALID` naming the flag. */
export function readFlagFiles(
  { mcpConfig = [], jsonSchema }: FileFlags,
  cwd: string,
): Pick<SessionOptions, 'mcpServers' | 'outputSchema'> {
  const servers = mcpConfig.map((value) => serversIn(value, cwd));
  return {
    ...(servers.length === 0 ? {} : { mcpServers: Object.assign({}, ...servers) }),
    ...(jsonSchema === undefined ? {} : { outputSchema: objectIn('--json-schema', jsonSchema, cwd) }),
  };
}

function serversIn(value: string, cwd: string): WireObject {
  const { mcpServers } = objectIn('--mcp-config', value, cwd);
  if (isObject(mcpServers)) return mcpServers;
  throw invalid('--mcp-config', 'it has no "mcpServers"', undefined);
}

function objectIn(flag: string, value: string, cwd: string): WireObject {
  try {
    const text = value.trimStart().startsWith('{') ? value : readFileSync(resolve(cwd, value), 'utf8');
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch (error) {
    throw invalid(flag, errorText(error), error);
  }
  throw invalid(flag, 'it is not a JSON object', undefined);
}

function invalid(flag: string, problem: string, cause: unknown): CoxswainError {
  return new CoxswainError('OPTION_INVALID', `The value of ${flag} cannot be used: ${problem}.`, { cause });
}
