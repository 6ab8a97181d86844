import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { objectsIn } from '../../../src/wire/protocol/frames.js';
import { Markdown } from '../conversation/markdown.js';
import { useReachable } from '../header/session-facts.js';
import { useReach } from '../store/context.js';
import { Panel } from './panel.js';
import { useFresh } from './use-fresh.js';

/** The agents that the model can call, and the active hooks; queried when the panel is opened. */
export function AgentsPanel({ session }: { session: SessionSummary }) {
  const { link } = useReach();
  const connected = useReachable(session);
  const to = { session: session.id };
  const fresh = useFresh(connected, async () => {
    const [{ info }, hooks] = await Promise.all([
      link.command('info', {}, to),
      link.command('hooks', {}, to),
    ]);
    return { agents: objectsIn(info.agents), ...hooks };
  });
  const { value } = fresh;
  return (
    <Panel title="Agents" connected={connected} fresh={fresh}>
      {value !== undefined && (
        <>
          {value.agents.length === 0 && <p className="faint">No agents listed.</p>}
          <dl className="list">
            {value.agents.map(({ name, description, model }) => (
              <div key={String(name)}>
                <dt>
                  <code>{String(name)}</code>{' '}
                  {typeof model === 'string' && model !== 'inherit' && <span className="faint">{model}</span>}
                </dt>
                <dd>{typeof description === 'string' && <Markdown text={description} />}</dd>
              </div>
            ))}
          </dl>
          <h2>Hooks</h2>
          {value.list.how === 'no' && (
            <p className="faint">{value.list.reason ?? 'This CLI does not list hooks.'}</p>
          )}
          {value.list.how !== 'no' && value.hooks.length === 0 && <p className="faint">No hooks.</p>}
          <dl className="list">
            {value.hooks.map(({ event, matcher, source, text }) => (
              <div key={`${event} ${matcher} ${source} ${text}`}>
                <dt>
                  {event}
                  {matcher !== undefined && (
                    <>
                      {' '}
                      for <code>{matcher}</code>
                    </>
                  )}{' '}
                  <span className="faint">{source}</span>
                </dt>
                <dd>
                  <code>{text}</code>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Panel>
  );
}
