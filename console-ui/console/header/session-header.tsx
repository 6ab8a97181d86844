import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { modeName } from '../../../src/wire/protocol/mode-names.js';
import { count, dollars, estimatedDollars } from '../../../src/wire/util/numbers.js';
import { SessionMenu } from '../session-menu/session-menu.js';
import { useCommands, useConsole } from '../store/context.js';
import { type Models, type OfferedModel, useModels } from '../store/models.js';
import { go, routeTo } from '../store/route.js';
import { markOf, titleOf } from '../ui/names.js';
import { StateDot } from '../ui/state-dot.js';
import { BYPASS, modesWith } from './modes.js';
import { PlanMeter } from './plan-meter.js';

/** A session's header: its name and its usage. */
export function SessionHeader({
  session,
  onFind,
  settings,
  onSettings,
}: {
  session: SessionSummary;
  /** Opens the search, if the current tab can be searched. */
  onFind: (() => void) | undefined;
  /** Whether a phone shows the usage and the settings, for which it has little room. */
  settings: boolean;
  onSettings: () => void;
}) {
  const mark = useConsole(({ sessions }) => markOf(session.id, sessions));
  return (
    <header className="session-head" data-mode={session.permissionMode}>
      <div className="session-name">
        <Back session={session.id} />
        <div>
          <h1 title={titleOf(session)}>
            {titleOf(session)}
            {mark !== undefined && <span className="faint session-mark"> {mark}</span>}
          </h1>
          <p className="session-where">
            <StateDot state={session.state} />
            <span className="faint path" title={session.cwd}>
              {session.cwd}
            </span>
          </p>
        </div>
        <SessionMenu session={session} />
        {onFind !== undefined && (
          <button type="button" className="quiet small" title="Ctrl+F" onClick={onFind}>
            Find
          </button>
        )}
        <button
          type="button"
          className="quiet icon settings"
          aria-label="Usage and settings"
          aria-expanded={settings}
          onClick={onSettings}
        >
          <span aria-hidden="true">⚙</span>
        </button>
        {session.owner.kind === 'program' && (
          <span className="tag">
            of {session.owner.name}
            {session.owner.away && ' (disconnected)'}
          </span>
        )}
        {session.sandbox !== undefined && <span className="tag">in {session.sandbox}</span>}
        <IgnoredMode session={session} />
        {session.allows.length > 0 && (
          <span className="tag" data-danger title={`Also allowed: ${session.allows.join(', ')}`}>
            acts without asking: {session.allows.join(', ')}
          </span>
        )}
      </div>
      <Meter session={session} />
    </header>
  );
}

/** To the list, on a phone, with how many prompts wait in other sessions. */
function Back({ session }: { session: string }) {
  const needs = useConsole(({ sessions }) =>
    [...sessions.values()].reduce((sum, { id, prompts }) => (id === session ? sum : sum + prompts.length), 0),
  );
  const label = needs === 0 ? 'All sessions' : `All sessions: ${needs} waiting for you`;
  return (
    <a className="back" href={routeTo(undefined)} aria-label={label}>
      ‹{needs > 0 && <span className="badge">{needs}</span>}
    </a>
  );
}

/** Settings files set a mode; here only people choose one. */
function IgnoredMode({ session: { settingsMode, permissionMode } }: { session: SessionSummary }) {
  if (settingsMode === undefined || settingsMode.mode === permissionMode) return null;
  return (
    <span className="tag" title={settingsMode.file}>
      settings request “{modeName(settingsMode.mode)}”: not used
    </span>
  );
}

/** The session settings that can be changed while it runs. */
export function SessionControls({ session }: { session: SessionSummary }) {
  const { run, busy } = useCommands();
  const allowBypass = useConsole(({ hello }) => hello?.allowBypass === true);
  const models = useModels(session);
  const to = { session: session.id };
  return (
    <div className="controls">
      <label>
        <span className="hidden">Model</span>
        <select
          value={session.model ?? defaultIn(models)}
          disabled={busy}
          onChange={(event) => void run('setModel', { model: event.target.value }, to)}
        >
          {modelsWith(models, session.model).map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label data-danger={session.permissionMode === BYPASS}>
        <span className="hidden">Permissions</span>
        <select
          value={session.permissionMode ?? 'default'}
          disabled={busy}
          onChange={(event) => void run('setPermissionMode', { mode: event.target.value }, to)}
        >
          {modesWith(session.permissionMode, allowBypass).map(([mode, name]) => (
            <option key={mode} value={mode}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ThinkingSelect session={session} />
    </div>
  );
}

const THINKING: readonly (readonly [value: string, name: string])[] = [
  ['', 'Thinking: auto'],
  ['0', 'Thinking: off'],
  ['4000', 'Thinking: up to 4k'],
  ['10000', 'Thinking: up to 10k'],
  ['32000', 'Thinking: up to 32k'],
];

/** No CLI reports its thinking limit: the server knows what was last set, no matter by whom. */
function ThinkingSelect({ session }: { session: SessionSummary }) {
  const { run, busy } = useCommands();
  const value = String(session.maxThinkingTokens ?? '');
  const set = (next: string) =>
    run('setThinking', { tokens: next === '' ? null : Number(next) }, { session: session.id });
  return (
    <label>
      <span className="hidden">Thinking</span>
      <select value={value} disabled={busy} onChange={(event) => void set(event.target.value)}>
        {thinkingWith(value).map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The limits to choose from, including the current one even if it is not offered. */
function thinkingWith(current: string): typeof THINKING {
  const isKnown = THINKING.some(([value]) => value === current);
  return isKnown ? THINKING : [...THINKING, [current, `Thinking: up to ${count(Number(current))}`]];
}

/** Cost, tokens and how full the context is; its tab has more. */
function Meter({ session }: { session: SessionSummary }) {
  const { costUsd, costIsPartial, tokens, context, maxBudgetUsd } = session;
  const share =
    context.window === undefined || context.window === 0 ? undefined : context.tokens / context.window;
  return (
    <button type="button" className="meter" onClick={() => go(session.id, 'usage')} title="Usage and budget">
      <span data-over={maxBudgetUsd !== undefined && costUsd >= maxBudgetUsd}>
        {estimatedDollars(costUsd)}
        {costIsPartial === true && <span className="faint"> since the resume</span>}
        {maxBudgetUsd !== undefined && <span className="faint"> of {dollars(maxBudgetUsd)}</span>}
      </span>
      <span>{count(tokens.input + tokens.output + tokens.cacheRead + tokens.cacheCreation)} tokens</span>
      {share !== undefined && (
        <span className="context">
          <progress max={1} value={Math.min(1, share)} aria-label="Context in use" />
          {Math.round(share * 100)} %
        </span>
      )}
      <PlanMeter login={session.limits?.login} />
    </button>
  );
}

/** The CLI's own entry for its default, if it has one. */
function defaultIn(models: Models): string {
  return models.some(({ value }) => value === 'default') ? 'default' : '';
}

function modelsWith(models: Models, current: string | undefined): readonly Omit<OfferedModel, 'efforts'>[] {
  if (current === undefined)
    return defaultIn(models) === '' ? [{ value: '', name: 'Default' }, ...models] : models;
  const isKnown = models.some(({ value }) => value === current);
  return isKnown ? models : [{ value: current, name: current }, ...models];
}
