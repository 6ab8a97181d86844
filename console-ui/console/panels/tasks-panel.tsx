import { useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { count, duration } from '../../../src/wire/util/numbers.js';
import { LongText } from '../conversation/block-list.js';
import { useCanAsk } from '../header/session-facts.js';
import type { Task } from '../model/items.js';
import { useCommands } from '../store/context.js';

/** What runs beside the conversation, or could be moved there. */
export function TasksPanel({
  session,
  tasks,
}: {
  session: SessionSummary;
  tasks: ReadonlyMap<string, Task>;
}) {
  const { run, busy } = useCommands();
  const list = [...tasks.values()].toSorted(
    (a, b) => Number(b.running) - Number(a.running) || b.startedAt - a.startedAt,
  );
  const canMove = useCanAsk(session) && session.state === 'running';
  return (
    <section className="panel" aria-label="Tasks">
      <header className="panel-head">
        <h2>Tasks</h2>
        {canMove && (
          <button
            type="button"
            className="small"
            disabled={busy}
            onClick={() => void run('background', {}, { session: session.id })}
          >
            Move all running work to the background
          </button>
        )}
      </header>
      {list.length === 0 && <p className="faint">Nothing ran beside the conversation yet.</p>}
      <ul className="servers">
        {list.map((task) => (
          <TaskRow key={task.id} task={task} session={session} />
        ))}
      </ul>
    </section>
  );
}

function TaskRow({ task, session }: { task: Task; session: SessionSummary }) {
  const { run, busy } = useCommands();
  const [output, setOutput] = useState<string>();
  const to = { session: session.id };
  const canAct = useCanAsk(session) && task.running;
  const look = async () => {
    const value = await run('taskOutput', { task: task.id }, to);
    if (value !== undefined)
      setOutput(typeof value.output === 'string' ? value.output : JSON.stringify(value, null, 2));
  };
  return (
    <li className="server" data-status={task.running ? 'pending' : task.status}>
      <div className="server-head">
        <span className="server-name">{task.description}</span>
        <span className="server-status">
          {task.running ? (task.background ? 'in the background' : 'running') : task.status}
        </span>
        <span className="faint">{taskFacts(task)}</span>
      </div>
      {task.summary !== undefined && <p className="faint">{task.summary}</p>}
      {canAct && (
        <div className="server-actions">
          {!task.background && (
            <button
              type="button"
              className="small"
              disabled={busy}
              onClick={() => void run('background', { target: task.toolUseId ?? task.id }, to)}
            >
              Move to the background
            </button>
          )}
          {task.background && (
            <button type="button" className="small" disabled={busy} onClick={() => void look()}>
              Output
            </button>
          )}
          <button
            type="button"
            className="small danger"
            disabled={busy}
            onClick={() => void run('stopTask', { task: task.id }, to)}
          >
            Stop
          </button>
        </div>
      )}
      {output !== undefined && <LongText text={output === '' ? '(nothing yet)' : output} />}
    </li>
  );
}

function taskFacts({ type, startedAt, endedAt, tokens }: Task): string {
  return [
    type,
    startedAt > 0 && endedAt !== undefined && duration(endedAt - startedAt),
    tokens !== undefined && `${count(tokens)} tokens`,
  ]
    .filter(Boolean)
    .join(' · ');
}
