import { useId, useState } from 'react';
import type { InfoView, SessionSummary } from '../../../src/entry/remote/contract.js';
import { count, duration } from '../../../src/wire/util/numbers.js';
import { LongText } from '../conversation/block-list.js';
import { useCanAsk, useReachable } from '../header/session-facts.js';
import type { Task } from '../model/items.js';
import { useCommands, useReach } from '../store/context.js';
import { Reasons, SupportButton } from './support.js';
import { useFresh } from './use-fresh.js';

/** What runs in the background, or could be moved there. */
export function TasksPanel({
  session,
  tasks,
}: {
  session: SessionSummary;
  tasks: ReadonlyMap<string, Task>;
}) {
  const { run, busy } = useCommands();
  const { link } = useReach();
  const reasons = useId();
  const reachable = useReachable(session);
  const { value } = useFresh(reachable, () => link.command('info', {}, { session: session.id }));
  const supports = value?.supports ?? {};
  const list = [...tasks.values()].toSorted(
    (a, b) => Number(b.running) - Number(a.running) || b.startedAt - a.startedAt,
  );
  const canMove = useCanAsk(session) && session.state === 'running';
  return (
    <section className="panel" aria-label="Tasks">
      <header className="panel-head">
        <h2>Tasks</h2>
        {canMove && (
          <SupportButton
            support={supports.agent_run_to_background}
            reasons={reasons}
            disabled={busy}
            onClick={() => void run('background', {}, { session: session.id })}
          >
            Move all running work to the background
          </SupportButton>
        )}
      </header>
      {canMove && <Reasons id={reasons} of={[supports.agent_run_to_background]} />}
      {list.length === 0 && <p className="faint">No background tasks yet.</p>}
      <ul className="servers">
        {list.map((task) => (
          <TaskRow key={task.id} task={task} session={session} supports={supports} />
        ))}
      </ul>
    </section>
  );
}

function TaskRow({
  task,
  session,
  supports,
}: {
  task: Task;
  session: SessionSummary;
  supports: InfoView['supports'];
}) {
  const { run, busy } = useCommands();
  const reasons = useId();
  const { agent_run_to_background: move, get_task_output: read, stop_task: stop } = supports;
  const shared = { reasons, disabled: busy };
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
        <>
          <div className="server-actions">
            {task.background ? (
              <SupportButton {...shared} support={read} onClick={() => void look()}>
                Output
              </SupportButton>
            ) : (
              <SupportButton
                {...shared}
                support={move}
                onClick={() => void run('background', { target: task.call ?? task.id }, to)}
              >
                Move to the background
              </SupportButton>
            )}
            <SupportButton
              {...shared}
              className="small danger"
              support={stop}
              onClick={() => void run('stopTask', { task: task.id }, to)}
            >
              Stop
            </SupportButton>
          </div>
          <Reasons id={reasons} of={[task.background ? read : move, stop]} />
        </>
      )}
      {output !== undefined && <LongText text={output === '' ? '(nothing yet)' : output} />}
    </li>
  );
}

/** What CLIs call their tasks, in plain words. */
const TYPES: Readonly<Record<string, string>> = { local_bash: 'command', local_agent: 'agent' };

function taskFacts({ subagentType, type: plain, startedAt, endedAt, tokens }: Task): string {
  const type = subagentType ?? plain;
  return [
    type !== undefined && (TYPES[type] ?? type),
    startedAt > 0 && endedAt !== undefined && duration(endedAt - startedAt),
    tokens !== undefined && `${count(tokens)} tokens`,
  ]
    .filter(Boolean)
    .join(' · ');
}
