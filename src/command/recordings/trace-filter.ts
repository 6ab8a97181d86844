import { type Command, Option } from 'commander';
import type { TraceFilter } from '../../wire/trace/analysis/filter.js';
import { parseMoment } from '../parse.js';

/** The flags that select lines of a recording. */
export interface FilterFlags {
  readonly from?: 'host' | 'cli';
  readonly type?: string;
  readonly subtype?: string;
  readonly requestId?: string;
  readonly since?: number;
  readonly until?: number;
  readonly text?: string;
  readonly json?: boolean;
}

/** Adds the flags that select lines to a command. */
export function withFilters(command: Command): Command {
  return command
    .addOption(new Option('--from <sender>', 'only what this side sent').choices(['host', 'cli']))
    .option('--type <type>', 'only frames of this type, or noise')
    .option('--subtype <subtype>', 'only messages and requests of this subtype, and answers to them')
    .option('--request-id <id>', 'only the request with this id, and its answer')
    .option('--since <time>', 'only from this time on: 90, 90s, 500ms', parseMoment)
    .option('--until <time>', 'only up to this time', parseMoment)
    .option('--text <text>', 'only lines that contain this text');
}

/** The filter for the given flags. */
export function filterOf({ from, type, subtype, requestId, since, until, text }: FilterFlags): TraceFilter {
  return { from, type, subtype, requestId, since, until, text };
}
