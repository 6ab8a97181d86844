import { type ComponentType, memo, useContext } from 'react';
import { duration } from '../../../src/wire/util/numbers.js';
import { PathButton } from '../files/path-button.js';
import { blocksText, text } from '../model/blocks.js';
import { commandOutput, exitCode, hasFailed } from '../model/exit-status.js';
import type { Decision, Item, ToolItem } from '../model/items.js';
import { useReach, useWatchOnly } from '../store/context.js';
import { BlockList } from './block-list.js';
import { callLabel } from './call-label.js';
import { decisionWords, isNegative } from './decision-words.js';
import { DiffView } from './diff-view.js';
import { type FileEdit, fileEdit } from './edits.js';
import { OutputPreview, ResultPreview } from './output-preview.js';
import { SessionContext, useUnfolded } from './session-context.js';
import { TodoList } from './todo-list.js';
import { ToolInput } from './tool-input.js';

/** Renders a row inside another. */
type StepComponent = ComponentType<{ item: Item; nested?: boolean }>;

/**
 * A tool call: one line that expands to input and result; edits and subagents are expanded from the start.
 */
export const ToolRow = memo(function ToolRow({ tool, Step }: { tool: ToolItem; Step: StepComponent }) {
  const edit = fileEdit(tool);
  const [open, toggle] = useUnfolded(tool.id);
  const { cwd } = useContext(SessionContext);
  const isAgent = tool.children.length > 0;
  // Who may answer sees it in the card of the prompt.
  const isInCard = !useWatchOnly() && tool.asking !== undefined;
  const path = text(tool.input.file_path) ?? text(tool.input.notebook_path);
  return (
    <div
      className="tool"
      data-state={tool.asking === undefined ? tool.state : 'asking'}
      data-failed={tool.asking === undefined && hasFailed(tool)}
    >
      <div className="tool-line">
        <button type="button" className="tool-head" aria-expanded={open} onClick={toggle}>
          <span className="tool-mark" aria-hidden="true" />
          <span className="tool-label" title={path}>
            {callLabel(tool.name, tool.input, cwd)}
          </span>
          {edit !== undefined && (
            <span className="counts">
              <span className="added">+{edit.added}</span> <span className="removed">−{edit.removed}</span>
            </span>
          )}
          <span className="tool-state">{stateWord(tool)}</span>
        </button>
        {path !== undefined && tool.state === 'done' && <OpenFile path={path} />}
      </div>
      <DecisionNote decision={tool.decision} />
      {open ? <ToolDetails tool={tool} /> : !isInCard && <Preview tool={tool} edit={edit} />}
      {isAgent && <Agent tool={tool} Step={Step} />}
    </div>
  );
});

function OpenFile({ path }: { path: string }) {
  return (
    <PathButton place={{ path }} className="tool-open">
      View
    </PathButton>
  );
}

/** The visible part of a collapsed call. */
function Preview({ tool, edit }: { tool: ToolItem; edit: FileEdit | undefined }) {
  // The reason is already there.
  if (isDenied(tool)) return null;
  const { todos } = tool;
  const output = commandOutput(tool);
  if (todos !== undefined) return <TodoList todos={todos} />;
  if (output !== undefined) return <OutputPreview output={output} />;
  if (tool.state === 'failed') return <FailureLine tool={tool} />;
  if (edit !== undefined) return <DiffView edit={edit} />;
  // What people have said is in the note about their decision, and a subagent's result is in its steps.
  const isShown = ASKS.has(tool.name) || tool.children.length > 0;
  return isShown ? null : <ResultPreview text={blocksText(tool.result)} />;
}

function ToolDetails({ tool }: { tool: ToolItem }) {
  const todos = tool.name === 'TodoWrite' ? tool.todos : undefined;
  return (
    <div className="tool-details">
      <p className="tool-caption">Input</p>
      {todos === undefined ? <ToolInput tool={tool} hasPath={false} /> : <TodoList todos={todos} />}
      {tool.result.length > 0 && (
        <>
          <p className="tool-caption">Result</p>
          <BlockList blocks={tool.result} alt={`Result of ${tool.name}`} printed />
        </>
      )}
    </div>
  );
}

/** The first words of why it failed, visible without expanding it. */
function FailureLine({ tool }: { tool: ToolItem }) {
  const [first] = tool.result;
  const why = first?.type === 'text' ? first.text : '';
  return why === '' ? null : <p className="tool-failure">{why.slice(0, 300)}</p>;
}

/** What a subagent did, inside the call that started it. */
function Agent({ tool, Step }: { tool: ToolItem; Step: StepComponent }) {
  const isRunning = tool.state === 'running' || tool.state === 'writing';
  const [open, toggle] = useUnfolded(`${tool.id} steps`, isRunning);
  const count = tool.children.length;
  return (
    <section className="agent" aria-label={`Subagent: ${String(tool.input.description ?? tool.name)}`}>
      <button type="button" className="quiet small" aria-expanded={open} onClick={toggle}>
        {open ? 'Fold' : 'Show'} {count} {count === 1 ? 'step' : 'steps'} of the subagent
      </button>
      {open && tool.children.map((item) => <Step key={item.id} item={item} nested />)}
    </section>
  );
}

const ASKS: ReadonlyMap<string, string> = new Map([
  ['AskUserQuestion', 'asks you'],
  ['ExitPlanMode', 'waiting for you'],
]);

function stateWord(tool: ToolItem): string {
  const { state, asking, at, endedAt, name } = tool;
  if (asking !== undefined) return ASKS.get(name) ?? 'needs permission';
  if (state === 'writing') return 'writing…';
  if (state === 'running') return 'running…';
  if (state === 'cut-off') return 'interrupted';
  if (isDenied(tool)) return 'denied';
  const time = endedAt === undefined || endedAt - at < 1_000 ? '' : ` · ${duration(endedAt - at)}`;
  const code = exitCode(tool) ?? 0;
  if (code !== 0) return `exit ${code}${time}`;
  if (tool.details?.interrupted === true) return `interrupted${time}`;
  return state === 'failed' ? `failed${time}` : `done${time}`;
}

/** Whether someone denied the call: then its result is what they said. */
function isDenied({ state, decision }: ToolItem): boolean {
  return state === 'failed' && decision?.answer?.answer === 'deny';
}

function DecisionNote({ decision }: { decision: Decision | undefined }) {
  const { client } = useReach();
  if (decision === undefined) return null;
  return (
    <p className="decision" data-negative={isNegative(decision)}>
      {decisionWords(decision, client)}
    </p>
  );
}
