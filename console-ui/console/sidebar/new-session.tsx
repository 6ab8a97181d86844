import { useEffect, useId, useState } from 'react';
import type { PlaceParams } from '../../../src/entry/remote/contract.js';
import { BYPASS, modesWith } from '../header/modes.js';
import { failureText, useConsole, useIsOpen, useReach } from '../store/context.js';
import { type Models, useLatestModels } from '../store/models.js';
import { go } from '../store/route.js';
import { Dialog } from '../ui/dialog.js';
import { ANY_PLACE, PlaceFields, placeOf } from './place-fields.js';

/** Opens a session: where, and with which settings. */
export function NewSession({ folder, onClose }: { folder?: string | undefined; onClose: () => void }) {
  const hello = useConsole((state) => state.hello);
  // What the server says adds fields, and then the button moves: it can be pressed after that.
  const isReady = useIsOpen() && hello !== undefined;
  const { link } = useReach();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState(folder);
  // The dialog may be open before the server has said which folders it has.
  const cwd = chosen ?? hello?.roots[0] ?? '';
  const [title, setTitle] = useState('');
  const [mode, setMode] = useState('default');
  const models = useLatestModels();
  const [model, setModel] = useState('');
  const [effort, setEffort] = useState('');
  const efforts = effortsOf(models, model);
  const [chrome, setChrome] = useState('');
  const [workspace, setWorkspace] = useState<Workspace>('shared');
  const [place, setPlace] = useState(ANY_PLACE);
  const open = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { session } = await link.command('open', {
        cwd,
        permissionMode: mode,
        ...(workspace === 'shared' ? {} : { workspace }),
        ...placed(placeOf(place)),
        ...(title.trim() === '' ? {} : { title: title.trim() }),
        ...(model.trim() === '' ? {} : { model: model.trim() }),
        ...(efforts.includes(effort) ? { effort } : {}),
        ...(chrome === '' ? {} : { chrome: chrome === 'yes' }),
      });
      onClose();
      go(session);
    } catch (error) {
      setProblem(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title="New session" onClose={onClose}>
      <form
        className="new-session"
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <FolderField cwd={cwd} onChange={setChosen} />
        <div className="form-row">
          <ModelField models={models} model={model} onChange={setModel} />
          {efforts.length > 0 && (
            <label className="form-field">
              Effort
              <select value={effort} onChange={(event) => setEffort(event.target.value)}>
                <option value="">Default</option>
                {efforts.map((each) => (
                  <option key={each} value={each}>
                    {each}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        <label className="form-field" data-danger={mode === BYPASS}>
          Permissions
          <select value={mode} onChange={(event) => setMode(event.target.value)}>
            {modesWith(undefined, hello?.allowBypass === true).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {mode === BYPASS && <p className="problem">Every tool runs without asking.</p>}
        <details className="more-options">
          <summary>More</summary>
          <label className="form-field">
            <span>
              Name <span className="faint">(optional)</span>
            </span>
            <input value={title} onChange={(event) => setTitle(event.target.value)} />
          </label>
          {hello?.role === 'owner' && hello.workers === undefined && (
            <WorkspaceField workspace={workspace} onChange={setWorkspace} />
          )}
          {hello?.role === 'owner' && <ChromeField chrome={chrome} onChange={setChrome} />}
          {hello?.workers !== undefined && (
            <PlaceFields workers={hello.workers} place={place} onChange={setPlace} />
          )}
          {hello?.sandbox !== undefined && (
            <p className="faint">Sandbox: {hello.sandbox}. The server runs every session in it.</p>
          )}
        </details>
        {problem !== undefined && (
          <p className="problem failure" role="alert">
            {problem}
          </p>
        )}
        <div className="prompt-actions">
          <button type="submit" className="primary" disabled={busy || !isReady || cwd.trim() === ''}>
            {busy ? 'Starting…' : 'Open'}
          </button>
          <button type="button" className="quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type Workspace = 'shared' | 'worktree';

function placed(place: PlaceParams | undefined): { readonly place?: PlaceParams } {
  return place === undefined ? {} : { place };
}

/** The levels of effort of a model; of the CLI's default model if none is chosen. */
function effortsOf(models: Models, model: string): readonly string[] {
  const wanted = model === '' ? (models.find(({ value }) => value === 'default') ?? models[0]) : undefined;
  return (wanted ?? models.find(({ value }) => value === model))?.efforts ?? [];
}

/** The models that the CLI offers; before one has said that, any name. */
function ModelField({
  models,
  model,
  onChange,
}: {
  models: Models;
  model: string;
  onChange: (model: string) => void;
}) {
  if (models.length === 0)
    return (
      <label className="form-field">
        <span>
          Model <span className="faint">(optional)</span>
        </span>
        <input
          value={model}
          placeholder="sonnet, opus, haiku …"
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
    );
  return (
    <label className="form-field">
      Model
      <select value={model} onChange={(event) => onChange(event.target.value)}>
        {!models.some(({ value }) => value === 'default') && <option value="">Default</option>}
        {models.map(({ value, name }) => (
          <option key={value} value={value === 'default' ? '' : value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function ChromeField({ chrome, onChange }: { chrome: string; onChange: (chrome: string) => void }) {
  return (
    <label className="form-field">
      Chrome
      <select value={chrome} onChange={(event) => onChange(event.target.value)}>
        <option value="">As the CLI’s settings say</option>
        <option value="yes">Connect to the Chrome extension</option>
        <option value="no">Do not connect</option>
      </select>
    </label>
  );
}

/** Whether the session works in the folder itself. */
function WorkspaceField({
  workspace,
  onChange,
}: {
  workspace: Workspace;
  onChange: (workspace: Workspace) => void;
}) {
  return (
    <label className="form-field">
      Worktree
      <select value={workspace} onChange={(event) => onChange(event.target.value as Workspace)}>
        <option value="shared">None</option>
        <option value="worktree">New worktree on a new branch</option>
      </select>
    </label>
  );
}

/** The working folder, with the folders in it to choose from. */
function FolderField({ cwd, onChange }: { cwd: string; onChange: (cwd: string) => void }) {
  const list = useId();
  const folders = useFolders(cwd);
  return (
    <label className="form-field">
      Folder
      <input
        value={cwd}
        list={list}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {folders.map(({ path }) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  );
}

interface Folder {
  readonly name: string;
  readonly path: string;
}

function useFolders(cwd: string): readonly Folder[] {
  const { link } = useReach();
  const isOpen = useIsOpen();
  const [folders, setFolders] = useState<readonly Folder[]>([]);
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    link.command('folders', cwd === '' ? {} : { in: cwd }).then(
      (value) => isCurrent && setFolders(value.folders),
      // A partially typed path is usually not a folder.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [link, cwd, isOpen]);
  return folders;
}
