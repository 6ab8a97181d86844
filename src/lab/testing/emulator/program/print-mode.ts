import { PassThrough, type Readable, type Writable } from 'node:stream';
import { decodeLine, type WireObject } from '../../../../wire/protocol/frames.js';
import { LineReader } from '../../../../wire/transport/line-reader.js';
import type { CliPipes } from '../pipes/pipes.js';
import type { CliArguments } from './arguments.js';

/** The pipes, adapted to the formats on the command line: a prompt as input, text or one object as output. */
export function formattedPipes(pipes: CliPipes, { flags, words }: CliArguments): CliPipes {
  const stdin =
    flags.get('--input-format')?.at(-1) === 'stream-json' ? pipes.stdin : promptInput(pipes.stdin, words);
  const format = flags.get('--output-format')?.at(-1) ?? 'text';
  if (format === 'stream-json') return { ...pipes, stdin };
  const stdout = new PassThrough();
  const printed = printResults(stdout, pipes.stdout, format);
  return {
    ...pipes,
    stdin,
    stdout,
    exit: (status) => {
      stdout.end();
      void printed.then(() => pipes.exit(status));
    },
  };
}

/** The prompt on the command line as one user message; without one, all of stdin is the prompt. */
function promptInput(stdin: Readable, words: readonly string[]): Readable {
  const input = new PassThrough();
  void promptText(stdin, words).then((text) => {
    input.end(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`);
  });
  return input;
}

async function promptText(stdin: Readable, words: readonly string[]): Promise<string> {
  if (words.length > 0) return words.join(' ');
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) text += chunk;
  return text.trim();
}

async function printResults(from: Readable, to: Writable, format: string): Promise<void> {
  const reader = new LineReader(from);
  let result: WireObject | undefined;
  reader.start((lines) => {
    for (const line of lines) {
      const frame = decodeLine(line);
      if (frame.kind === 'message' && frame.message.type === 'result') result = frame.message;
    }
  });
  await reader.done;
  if (result === undefined) return;
  to.write(format === 'json' ? `${JSON.stringify(result)}\n` : `${result.result ?? result.subtype}\n`);
}
