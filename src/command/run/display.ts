import type { SessionState } from '../../host/core/connection/state.js';
import type { Session } from '../../host/session/session.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { ApiRetry } from '../../wire/protocol/reading/api-retry.js';
import type { DenialItem, ItemChange } from '../../wire/protocol/reading/items.js';
import type { PlanLimits } from '../../wire/protocol/reading/plan-limits.js';
import { totalTokens } from '../../wire/protocol/reading/token-count.js';
import type { Diagnostic } from '../../wire/util/diagnostics.js';
import { wholeSeconds } from '../../wire/util/numbers.js';
import { plainLine } from '../../wire/util/plain.js';
import type { CommandContext } from '../command-context.js';
import { closeLimitText } from '../terminal/limit-text.js';
import { lookFor } from '../terminal/look.js';
import { Screen } from '../terminal/screen.js';
import { JsonOutput, type Output, TextOutput } from './output.js';
import { Progress, type ProgressFacts } from './progress.js';
import { explainOutcome, type Report, summaryLine } from './report.js';
import { StartList } from './start-list.js';
import { TurnView, toolCallsIn } from './turn-view.js';

/** How much is shown, and in which form. */
export interface DisplayOptions {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** Shows the startup steps even without a terminal. */
  readonly showStart?: boolean | undefined;
}

/** What the display queries while it runs. */
export interface Watched {
  readonly session: Pick<Session, 'state' | 'usage'>;
  /** Whether a person is being asked. */
  readonly asking: () => boolean;
}

/** Everything that people and programs see of a conversation. */
export class Display {
  readonly screen: Screen;
  readonly view = new TurnView();
  readonly #context: CommandContext;
  readonly #options: DisplayOptions;
  readonly #output: Output;
  readonly #startList: StartList;
  #progress: Progress | undefined;
  #limitSaid: string | undefined;

  constructor(options: DisplayOptions, context: CommandContext) {
    const { outIsTty, errIsTty, env, platform, clock } = context;
    const { json = false, quiet = false, verbose = false, showStart = verbose } = options;
    const look = lookFor({ isTty: errIsTty, env, platform });
    this.#context = context;
    this.#options = options;
    this.screen = new Screen({ ...context, look: quiet ? { ...look, live: false } : look });
    this.#output = json ? new JsonOutput(this.screen) : new TextOutput(this.screen, outIsTty);
    this.#startList = new StartList(this.screen, clock, !quiet && (errIsTty || showStart));
  }

  /** A startup step is done. */
  step(label: string): void {
    this.#startList.step(label);
  }

  /** Starts to show progress. */
  watch({ session, asking }: Watched): void {
    const { clock } = this.#context;
    const facts = (): ProgressFacts => ({
      tokens: totalTokens(session.usage) + this.view.tokens,
      costUsd: session.usage.costUsd === 0 ? undefined : session.usage.costUsd,
      tool: this.view.tool,
      waitingFor: asking() ? undefined : waitingFor(session.state, this.view),
    });
    this.#progress = new Progress({ screen: this.screen, clock, facts, quiet: this.#options.quiet === true });
  }

  state(state: SessionState, version: string | undefined): void {
    this.#startList.state(state, version);
  }

  sent(text: string): void {
    this.screen.note(this.screen.look.bold(`> ${plainLine(text)}`));
  }

  async message(message: WireObject): Promise<void> {
    const changes = this.view.note(message);
    this.#startList.message(message);
    this.#output.message(message, changes);
    this.#denials(changes);
    if (this.screen.live || this.#options.verbose === true) this.#tools(changes);
    this.#progress?.noteActivity();
    await this.#context.drained();
  }

  /** A model call failed and is being retried: people should know why they wait. */
  retry({ attempt, maxRetries, delayMs, error, status }: ApiRetry): void {
    if (this.#options.quiet === true) return;
    const what = status === undefined ? error : `${error}, status ${status}`;
    this.#aside(`API error (${what}); retry ${attempt} of ${maxRetries} in ${wholeSeconds(delayMs)}.`);
  }

  /** A usage limit is close; said once for each step that it grows by. */
  limits(limits: PlanLimits): void {
    const said = closeLimitText(limits, Date.now());
    if (said === undefined || said === this.#limitSaid || this.#options.quiet === true) return;
    this.#limitSaid = said;
    this.#aside(said);
  }

  /** The CLI refused a call without asking: people should know why. */
  #denials(changes: readonly ItemChange[]): void {
    if (this.#options.quiet === true) return;
    // Without a word on who denied it, it was the person who was asked.
    for (const { item } of changes)
      if (item.kind === 'denial' && item.by !== undefined) this.#aside(denialText(item));
  }

  diagnostic({ code, message }: Diagnostic): void {
    this.#aside(`${code}: ${message}`);
  }

  cliStderr(text: string): void {
    this.#aside(`CLI: ${text}`);
  }

  end(report: Report): void {
    this.#progress?.stop();
    this.#output.end(report);
    for (const line of explainOutcome(report)) this.screen.note(line);
    const opened = report.error === undefined;
    if (opened && this.#options.quiet !== true) this.screen.note(summaryLine(report, this.screen.look));
  }

  #tools(changes: readonly ItemChange[]): void {
    for (const call of toolCallsIn(changes)) this.#aside(`${this.screen.look.dot} ${call}`);
  }

  #aside(text: string): void {
    this.screen.note(this.screen.look.dim(plainLine(text, 500)));
  }
}

function waitingFor(state: SessionState, view: TurnView): string {
  switch (state) {
    case 'starting':
      return 'the CLI to start';
    case 'handshaking':
      return 'the CLI to answer initialize (old ones connect their MCP servers first)';
    case 'ending':
    case 'ended':
      return 'the CLI to end';
    case 'ready':
      return view.busyWith;
  }
}

/** A call that was refused without asking: `Bash denied by auto mode: …`. */
export function denialText({ tool, by, why, reason }: DenialItem): string {
  const who = by === 'classifier' ? ' by auto mode' : by === undefined ? '' : ` by a ${by}`;
  const because = why ?? reason;
  return `${tool} denied${who}${because === undefined ? '' : `: ${because}`}`;
}
