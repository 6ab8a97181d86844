import type { MODEL_VARIABLES } from '../../host/cli/environment.js';
import type { ModelRequest } from '../../lab/testing/model/request.js';
import { describeRequest } from '../../lab/testing/model/script-runner.js';
import { counted } from '../../wire/util/numbers.js';
import type { CommandContext } from '../command-context.js';

/** What happened until the end. */
export interface ModelSummary {
  readonly counts: Readonly<Record<string, number>>;
  readonly finished: boolean;
  readonly report: string;
}

/** Reports on a served model. */
export interface ModelPrinter {
  listening(url: string): void;
  request(request: ModelRequest): void;
  summary(summary: ModelSummary): void;
}

/** For people: address and environment on stdout, the rest on stderr. */
export function textPrinter(
  { writeOut, writeErr, platform }: CommandContext,
  verbose: boolean,
): ModelPrinter {
  const set = platform === 'win32' ? 'set' : 'export';
  return {
    listening: (url) => {
      const lines = Object.entries(environmentFor(url)).map(([name, value]) => `${set} ${name}=${value}`);
      writeOut(`${[url, ...lines].join('\n')}\n`);
      writeErr(
        'The model is listening. Set these variables where you start the CLI. Press Ctrl-C to quit.\n',
      );
    },
    request: (request) => {
      writeErr(`${requestLine(request)}\n${verbose ? `${requestDetails(request)}\n` : ''}`);
    },
    summary: ({ counts, finished, report }) => {
      const outcome = finished ? 'No unexpected requests.' : `The script did not run as written:\n${report}`;
      writeErr(`\n${countsLine(counts)} ${outcome}\n`);
    },
  };
}

/** For programs: one JSON object per line on stdout. */
export function jsonPrinter({ writeOut }: CommandContext): ModelPrinter {
  const print = (event: string, fields: object): void => {
    writeOut(`${JSON.stringify({ schema: 1, event, ...fields })}\n`);
  };
  return {
    listening: (url) => print('listening', { url, env: environmentFor(url) }),
    request: ({ messages, ...request }) => print('request', { ...request, messageCount: messages.length }),
    summary: ({ counts, finished, report }) => print('end', { counts, finished, report }),
  };
}

function environmentFor(url: string): Readonly<Record<(typeof MODEL_VARIABLES)[number], string>> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'made-up',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

function requestLine(request: ModelRequest): string {
  const { kind, method, path, model = 'no model', stream, toolNames } = request;
  if (kind === 'other') return `request ${request.number} (other): ${method} ${path}`;
  const how = `${model}, ${stream ? 'streamed' : 'whole'}, ${counted(toolNames.length, 'tool')}`;
  return `${describeRequest(request)} (${kind}; ${how})`;
}

function requestDetails({ headers, sessionId, messages, systemLength, parameters }: ModelRequest): string {
  const lines = [
    `client ${headers['user-agent'] ?? 'unknown'}, session ${sessionId ?? 'unknown'}`,
    `${counted(messages.length, 'message')}, ${systemLength} characters of system prompt`,
    `parameters ${JSON.stringify(parameters)}`,
  ];
  return lines.map((line) => `  ${line}`).join('\n');
}

function countsLine(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts);
  if (entries.length === 0) return 'No requests.';
  return `Requests: ${entries.map(([kind, count]) => `${count} ${kind}`).join(', ')}.`;
}
