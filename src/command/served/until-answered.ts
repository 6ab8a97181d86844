import type { ServerLink } from '../../entry/remote/remote-transport.js';
import { SentMessage } from '../../entry/remote/sent-message.js';
import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import { MessageFold } from '../../wire/protocol/reading/message-fold.js';
import { deferred } from '../../wire/util/deferred.js';
import { plainLine } from '../../wire/util/plain.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_FAILED, exitCodeOfOutcome } from '../exit-codes.js';
import { jsonLine } from '../recordings/trace-print.js';
import { JsonOutput, TextOutput } from '../run/output.js';
import { EXIT_CODES } from '../run/stop-sequence.js';
import { lookFor } from '../terminal/look.js';
import { Screen } from '../terminal/screen.js';

/** Which answer to wait for, and how to print it. */
export interface AwaitedAnswer {
  readonly link: ServerLink;
  readonly session: string;
  /** The number of the last event before the message was sent. */
  readonly after: number;
  /** The message. */
  readonly uuid: string;
  readonly json?: boolean | undefined;
  /** How long to wait, in milliseconds. */
  readonly timeout?: number | undefined;
}

/** Prints the answer to a message as it streams; resolves to the exit code. */
export async function untilAnswered(awaited: AwaitedAnswer, context: CommandContext): Promise<number> {
  const { link, session, after, uuid, json = false, timeout = Number.POSITIVE_INFINITY } = awaited;
  const { clock, outIsTty, errIsTty, env, platform } = context;
  const screen = new Screen({ ...context, look: lookFor({ isTty: errIsTty, env, platform }) });
  const output = json ? new JsonOutput(screen) : new TextOutput(screen, outIsTty);
  const over = deferred<TurnOutcome | number>();
  const message = new SentMessage(uuid);
  const fold = new MessageFold();
  const release = [
    context.onSignal((signal) => over.resolve(EXIT_CODES[signal as 'SIGINT'] ?? EXIT_FAILED)),
    clock.after(timeout, () => over.resolve(EXIT_CODES.timeout)),
    link.on('lost', (error) => over.reject(error)),
    link.attach(session, after, {
      onEvent: ({ event }) => {
        const said = message.messageIn(event);
        if (said !== undefined) output.message(said, fold.take(said));
        if (event.kind === 'prompt')
          screen.note(
            `It asks: ${plainLine(event.prompt.headline)} (answer with: coxswain attach ${session})`,
          );
        if (event.kind === 'state' && event.state === 'limited' && event.limitUntil !== undefined)
          screen.note(`A usage limit is reached, or nearly. The message is sent after ${event.limitUntil}.`);
        const outcome = message.outcomeIn(event);
        if (outcome !== undefined) over.resolve(outcome);
      },
    }),
  ];
  const end = await over.promise.finally(() => {
    for (const each of release) each();
  });
  if (typeof end === 'number') {
    screen.note('Stopped waiting. The turn continues in the console.');
    return end;
  }
  if (output instanceof TextOutput) output.end({ outcome: end });
  return tell(end, { screen, json, session, uuid });
}

function tell(
  outcome: TurnOutcome,
  { screen, json, ...ids }: { screen: Screen; json: boolean; session: string; uuid: string },
): number {
  const exitCode = exitCodeOfOutcome(outcome.kind);
  const why =
    'message' in outcome ? outcome.message : outcome.kind === 'cli-ended' ? outcome.error.message : '';
  if (json) {
    const text = outcome.kind === 'success' ? { text: outcome.text } : { error: { message: why } };
    screen.out(jsonLine({ type: 'coxswain_outcome', outcome: outcome.kind, exitCode, ...text, ...ids }));
  } else if (outcome.kind !== 'success')
    screen.note(`The turn ended: ${outcome.kind}${why === '' ? '' : `, ${plainLine(why, 400)}`}`);
  return exitCode;
}
