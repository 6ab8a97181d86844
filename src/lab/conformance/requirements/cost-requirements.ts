import type { Requirements } from '../requirement.js';

/** What a resumed conversation sends to the model again, and what CLIs count. */
export const costRequirements = {
  'cache:resumed': {
    behaviour:
      'A resumed conversation sends the same tools, system prompt and messages as before, so the API can read them from its cache.',
  },
  'cache:parallel-calls': {
    behaviour: 'So does one whose last turn made two tool calls at once.',
  },
  'cache:options': {
    behaviour: 'So does one with in-process servers, agents and an appended system prompt.',
  },
  'cache:large': {
    behaviour: 'So does one with many tool calls, whose results are more than 80,000 tokens.',
  },
  'cache:next-day': {
    behaviour: 'So does one that is resumed on another day.',
  },
  'cache:git-status': {
    behaviour: 'So does one in a repository whose git status has changed.',
  },
  'cache:server-order': {
    behaviour: 'So does one whose MCP servers connect in another order.',
  },
  'cache:billing-line': {
    behaviour: 'The line for billing in the system prompt is the same after a resume.',
  },
  'cost:carried-over': {
    behaviour: 'The costs of a resumed conversation continue from its earlier ones.',
  },
  'cost:since-last-result': {
    behaviour: 'A result has the costs since the last result, by model.',
  },
  'cost:first-request': {
    behaviour: 'A result says how much of its first request was read from the cache.',
  },
  'cost:torn-reply': {
    behaviour: 'A reply that is cut off and requested again is counted.',
  },
  'cost:compaction': {
    behaviour: 'The result of a compaction includes its costs.',
  },
} as const satisfies Requirements;
