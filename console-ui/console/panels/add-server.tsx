import { useId, useState } from 'react';
import type { SessionSummary, SupportView } from '../../../src/entry/remote/contract.js';
import { useCommands, useReach } from '../store/context.js';
import { readServer } from './server-config.js';
import { Reasons, SupportButton, useMayChange } from './support.js';

/** Adds a server to the session: a program, or one with an address. */
export function AddServer({
  session,
  support,
  onDone,
}: {
  session: SessionSummary;
  support: SupportView;
  onDone: () => void;
}) {
  const { tell } = useReach();
  const { run, busy } = useCommands();
  const may = useMayChange();
  const reasons = useId();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [written, setWritten] = useState('');
  const [values, setValues] = useState('');
  const config = readServer(written, values);
  const add = async () => {
    if (config === undefined) return;
    const server = name.trim();
    const value = await run('mcp.add', { servers: { [server]: config } }, { session: session.id });
    if (value === undefined) return;
    const problem = value.errors[server];
    if (problem !== undefined) tell(`${server}: ${problem}`, 'error');
    setOpen(false);
    setName('');
    setWritten('');
    setValues('');
    onDone();
  };
  if (!open)
    return (
      <div className="add-server">
        <SupportButton
          support={may(support)}
          reasons={reasons}
          disabled={false}
          data-focus="add"
          onClick={() => setOpen(true)}
        >
          Add a server
        </SupportButton>
        <Reasons id={reasons} of={[may(support)]} />
      </div>
    );
  return (
    <form
      className="add-server"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label className="form-field">
        Server name
        <input value={name} spellCheck={false} onChange={(event) => setName(event.target.value)} />
      </label>
      <label className="form-field">
        Command or address
        <input
          value={written}
          spellCheck={false}
          placeholder="npx some-server --flag, or https://…"
          onChange={(event) => setWritten(event.target.value)}
        />
      </label>
      <label className="form-field">
        <span>
          Environment of the command, or headers <span className="faint">(optional)</span>
        </span>
        <textarea
          value={values}
          rows={2}
          spellCheck={false}
          placeholder="NAME=value, one per line"
          onChange={(event) => setValues(event.target.value)}
        />
      </label>
      <p className="faint">
        It stays until this session ends. A command runs on the console’s machine, as its user.
      </p>
      <div className="server-actions">
        <button
          type="submit"
          className="primary"
          disabled={busy || name.trim() === '' || config === undefined}
        >
          Add
        </button>
        <button type="button" className="quiet" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
