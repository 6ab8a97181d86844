import type { OpenParams, SettingsEvent } from '../../../entry/remote/contract.js';
import { withoutStart } from '../../../host/cli/options/cli-option-table.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { LaunchOptions } from '../../manager/manager-options.js';
import type { FoldedLog } from '../log/folded-log.js';
import { beyondAsking } from './beyond-asking.js';
import { launchOptions } from './session-options.js';
import type { SessionProgram } from './session-program.js';
import { type Setting, thinkingCapOf } from './session-settings.js';
import { settingsMode } from './settings-mode.js';

/** What {@link SessionLaunch} needs from its session. */
export interface LaunchParts {
  readonly events: FoldedLog;
  readonly program: SessionProgram;
  /** What the server adds to the options of each CLI. */
  readonly base: (opened: OpenParams) => SessionOptions;
  /** The CLI's own folder. */
  readonly configDir: string;
}

/** How the CLIs of a session are started: as it was opened, and with what was set since. */
export class SessionLaunch {
  readonly #parts: LaunchParts;
  #opened: OpenParams;
  /** How its next CLI is started; the server is asked once per CLI. */
  #asked: SessionOptions | undefined;

  constructor(opened: OpenParams, parts: LaunchParts) {
    this.#opened = opened;
    this.#parts = parts;
  }

  get opened(): OpenParams {
    return this.#opened;
  }

  /** It is opened, again. Servers that were disabled stay so. */
  open(opened: OpenParams): void {
    const { disabledServers = this.#opened.disabledServers } = opened;
    this.#opened = { ...opened, disabledServers };
    this.#asked = undefined;
  }

  /** Records with which settings a CLI is about to start. */
  noteStart(): void {
    const { permissionMode = this.#opened.permissionMode ?? null, ...asked } = this.asked;
    const maxThinkingTokens = thinkingCapOf(asked) ?? null;
    this.#add({ permissionMode, maxThinkingTokens, allows: beyondAsking(this.#opened) });
  }

  /** Records a setting that no message reports, and starts later CLIs with it; returns whether there was one. */
  note(setting: Setting): boolean {
    if (Object.keys(setting).length === 0) return false;
    const { disabledServers: _servers, ...shown } = setting;
    if (Object.keys(shown).length > 0) this.#add(shown);
    this.#opened = { ...this.#opened, ...setting };
    return true;
  }

  /** Records what the CLI may do besides asking; returns whether that is new. */
  noteAllowed(words: string | undefined): boolean {
    const { allows } = this.#parts.events.view;
    if (words === undefined || allows.includes(words)) return false;
    this.#add({ allows: [...allows, words] });
    return true;
  }

  /** The next CLI starts in the mode that the session was opened with. */
  resetMode(): void {
    this.#add({ permissionMode: this.#opened.permissionMode ?? null });
  }

  /**
   * Records the mode in settings files, for display only: the CLI always gets an explicit mode. Returns whether it has
   * changed.
   */
  async readSettings(): Promise<boolean> {
    const { configDir, events } = this.#parts;
    const { settingSources: sources } = this.asked;
    const found = (await settingsMode({ cwd: this.#opened.cwd, configDir, sources })) ?? null;
    const { settingsMode: known = null } = events.view;
    if (found?.mode === known?.mode && found?.file === known?.file) return false;
    this.#add({ settingsMode: found });
    return true;
  }

  /** Its CLI is gone: the server is asked again for the next one. */
  forget(): void {
    this.#asked = undefined;
  }

  /** The options of the current CLI, or of the next one. */
  get asked(): SessionOptions {
    const { base, program, events } = this.#parts;
    if (this.#asked !== undefined) return this.#asked;
    const opened = { ...this.#opened, permissionMode: this.#mode };
    const options = launchOptions(base(opened), opened, program.requests);
    this.#asked = { ...options, record: { to: events.log.sink, redact: false } };
    return this.#asked;
  }

  /** The same, for a CLI that may continue the conversation of an earlier one. */
  options(resumes: boolean): LaunchOptions {
    const { asked } = this;
    // Whatever the mode was before: the console decides in which mode a CLI may start.
    const permissionMode = this.#mode ?? asked.permissionMode;
    // Undefined if a program has its own rules for prompts.
    return { prompts: undefined, ...(resumes ? withoutStart(asked) : asked), permissionMode };
  }

  #add(settings: Omit<SettingsEvent, 'kind'>): void {
    this.#parts.events.add({ kind: 'settings', ...settings });
  }

  get #mode(): SessionOptions['permissionMode'] {
    // One that is unknown to us is the CLI's to refuse.
    return (this.#parts.events.view.permissionMode ??
      this.#opened.permissionMode) as SessionOptions['permissionMode'];
  }
}
