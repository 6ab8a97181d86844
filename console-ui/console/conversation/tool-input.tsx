import type { ToolItem } from '../model/items.js';
import { LongText } from './block-list.js';
import { DiffView } from './diff-view.js';
import { fileEdit } from './edits.js';
import { VisibleText } from './visible-text.js';

/** A tool's input: a command, a file change, or its parameters. */
export function ToolInput({
  tool,
  hasPath = true,
}: {
  tool: Pick<ToolItem, 'name' | 'input' | 'details'> & Partial<Pick<ToolItem, 'state' | 'inputText'>>;
  /** Whether the path of a file change is shown: a row has it in its head. */
  hasPath?: boolean;
}) {
  if (tool.state === 'writing') return <LongText text={tool.inputText ?? ''} />;
  const edit = fileEdit(tool);
  if (edit !== undefined)
    return (
      <>
        {hasPath && (
          <p className="edit-path">
            <code>
              <VisibleText text={edit.path} />
            </code>{' '}
            <span className="added">+{edit.added}</span> <span className="removed">−{edit.removed}</span>
          </p>
        )}
        <DiffView edit={edit} />
      </>
    );
  const { command, description, ...rest } = tool.input;
  if (typeof command === 'string')
    return (
      <>
        <LongText text={command} />
        {Object.keys(rest).length > 0 && <Parameters input={rest} />}
      </>
    );
  return <Parameters input={tool.input} />;
}

function Parameters({ input }: { input: ToolItem['input'] }) {
  const entries = Object.entries(input);
  if (entries.length === 0) return null;
  return (
    <dl className="parameters">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>
            <VisibleText text={name} />
          </dt>
          <dd>
            <LongText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
