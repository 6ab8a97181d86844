import { useId } from 'react';
import type { ChromeView, SessionSummary } from '../../../src/entry/remote/contract.js';
import { useReachable } from '../header/session-facts.js';
import { useCommands, useReach } from '../store/context.js';
import { chromeFact } from './chrome-facts.js';
import { Panel } from './panel.js';
import { Reasons, SupportButton, useMayChange } from './support.js';
import { useFresh } from './use-fresh.js';

const ROWS: readonly (readonly [key: keyof ChromeView, name: string])[] = [
  ['installed', 'Extension installed'],
  ['enabled', 'Enabled'],
  ['connected', 'Connected'],
  ['mcpServerStatus', 'Its MCP server'],
  ['extensionVersion', 'Version'],
];

/** The state of the Chrome extension, queried each time the panel is opened. */
export function ChromePanel({ session }: { session: SessionSummary }) {
  const { link, tell } = useReach();
  const { run, busy } = useCommands();
  const may = useMayChange();
  const reasons = useId();
  const connected = useReachable(session);
  const fresh = useFresh(connected, () => link.command('chrome.status', {}, { session: session.id }));
  const reconnect = async () => {
    const value = await run('chrome.reconnect', {}, { session: session.id });
    if (value?.success === false) tell(value.error ?? 'It could not be reconnected.', 'error');
    fresh.ask();
  };
  const select = async (browser: string) => {
    await run('chrome.select', { browser }, { session: session.id });
    fresh.ask();
  };
  const { value } = fresh;
  // Without its server there is nothing to reconnect: it is better to explain how to get it.
  const support = value && may(value.mcpServerStatus === null ? NO_SERVER : value.reconnect);
  return (
    <Panel title="Chrome" connected={connected} fresh={fresh}>
      {value !== undefined && (
        <>
          <dl className="facts">
            {ROWS.map(([key, name]) => (
              <div key={key}>
                <dt>{name}</dt>
                <dd>{chromeFact(value, key)}</dd>
              </div>
            ))}
          </dl>
          {value.browsers.length > 1 && (
            <label className="option">
              <span>Browser</span>
              <select
                data-focus="browser"
                value={value.browsers.find(({ current }) => current)?.id ?? ''}
                disabled={busy || may(CAN).how === 'no'}
                onChange={(event) => void select(event.target.value)}
              >
                {value.browsers.every(({ current }) => !current) && <option value="">none selected</option>}
                {value.browsers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <SupportButton
            className=""
            support={support}
            reasons={reasons}
            disabled={busy}
            data-focus="reconnect"
            onClick={() => void reconnect()}
          >
            Reconnect
          </SupportButton>
          <Reasons id={reasons} of={[support]} />
        </>
      )}
    </Panel>
  );
}

const CAN = { how: 'native' } as const;

const NO_SERVER = {
  how: 'no',
  reason:
    'This session has no connection to Chrome. Start the console with --chrome, and log in to the CLI; programs open sessions with the option chrome.',
} as const;
