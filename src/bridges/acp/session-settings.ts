import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { capabilitiesOf } from '../../host/cli/capabilities.js';
import {
  type Effort,
  efforts,
  type PermissionMode,
  permissionModes,
} from '../../host/cli/options/cli-options.js';
import type { Session } from '../../host/session/session.js';
import type { SlashCommand } from '../../wire/protocol/catalog/shapes/offers-shapes.schemas.js';
import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import { misuse } from './failures.js';
import type { Talk } from './open-sessions.js';

/** Names and descriptions of modes. */
const MODES: Readonly<Partial<Record<PermissionMode, readonly [name: string, description: string]>>> = {
  default: ['Ask', 'Asks before every change, unless a rule allows it.'],
  acceptEdits: ['Accept edits', 'Changes files without asking.'],
  plan: ['Plan', 'Reads and plans; changes nothing.'],
  dontAsk: ["Don't ask", 'Refuses everything that no rule allows, without asking.'],
  auto: ['Auto', 'Lets the model decide when to ask.'],
  bypassPermissions: ['Bypass permissions', 'Runs everything without asking.'],
};

/** The value of a setting that is left to the CLI. */
const UNSET = 'default';

/** The mode, the model and the effort of a conversation, as a client sees and changes them. */
export class SessionSettings {
  readonly #talk: Talk;
  readonly #models: readonly WireObject[];
  #commands: readonly WireObject[];
  readonly #modes: readonly PermissionMode[];
  #mode: string;
  #model: string;
  #effort: string = UNSET;

  constructor(
    talk: Talk,
    { info, version }: Pick<Session, 'info' | 'version'>,
    {
      mode,
      model,
      mayBypass,
    }: {
      readonly mode?: string | undefined;
      readonly model?: string | undefined;
      readonly mayBypass: boolean;
    },
  ) {
    this.#talk = talk;
    this.#models = objectsIn(info.models);
    this.#commands = objectsIn(info.commands);
    const known = capabilitiesOf({ version }).modes;
    this.#modes = permissionModes.filter(
      (each) =>
        known.includes(each) && MODES[each] !== undefined && (mayBypass || each !== 'bypassPermissions'),
    );
    this.#mode = String(info.current_permission_mode ?? mode ?? UNSET);
    this.#model = model ?? UNSET;
  }

  /** The slash commands of the CLI. */
  get commands(): readonly SlashCommand[] {
    return this.#commands as readonly unknown[] as readonly SlashCommand[];
  }

  get modes(): SessionModeState {
    const availableModes = this.#modes.map((id) => {
      const [name, description] = MODES[id] ?? [id, ''];
      return { id, name, description };
    });
    const isListed = this.#modes.some((id) => id === this.#mode);
    const current = isListed ? [] : [{ id: this.#mode, name: this.#mode, description: null }];
    return { currentModeId: this.#mode, availableModes: [...availableModes, ...current] };
  }

  get options(): SessionConfigOption[] {
    const { currentModeId, availableModes } = this.modes;
    const modes = availableModes.map(({ id, name, description }) => ({
      value: id,
      name,
      description: description ?? null,
    }));
    const mode = select({
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: currentModeId,
      options: modes,
    });
    const models = this.#models.map(({ value, displayName, description }) => ({
      value: String(value),
      name: String(displayName ?? value),
      description: typeof description === 'string' ? description : null,
    }));
    if (models.length === 0) return [mode];
    if (!models.some(({ value }) => value === this.#model))
      models.push({ value: this.#model, name: this.#model, description: null });
    const model = select({
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: this.#model,
      options: models,
    });
    const levels = this.#levels;
    if (levels.length === 0) return [mode, model];
    const options = [UNSET, ...levels].map((value) => ({ value, name: value }));
    return [
      mode,
      model,
      select({
        id: 'effort',
        name: 'Effort',
        category: 'thought_level',
        currentValue: this.#effort,
        options,
      }),
    ];
  }

  /** Records the mode that the CLI reports; returns whether it changed. */
  note(message: WireObject): boolean {
    const { type, permissionMode } = message;
    if (type !== 'system' || typeof permissionMode !== 'string' || permissionMode === this.#mode)
      return false;
    this.#mode = permissionMode;
    return true;
  }

  /** Records added and removed commands; returns whether there were any. */
  noteCommands({ type, subtype, commands }: WireObject): boolean {
    if (type !== 'system' || subtype !== 'commands_changed' || !Array.isArray(commands)) return false;
    this.#commands = objectsIn(commands);
    return true;
  }

  async setMode(modeId: string): Promise<void> {
    const mode = this.#modes.find((each) => each === modeId);
    if (mode === undefined) throw misuse(`There is no mode ${modeId} here, only ${this.#modes.join(', ')}.`);
    await this.#talk.setPermissionMode(mode);
    this.#mode = mode;
  }

  async set(configId: string, value: string | boolean): Promise<void> {
    const option = this.options.find(({ id }) => id === configId);
    if (option === undefined) throw misuse(`There is no option ${configId}.`);
    const values =
      option.type === 'select' ? option.options.flatMap((each) => ('value' in each ? [each.value] : [])) : [];
    if (typeof value !== 'string' || !values.includes(value))
      throw misuse(`The option ${configId} has no value ${value}, only ${values.join(', ')}.`);
    if (configId === 'mode') return this.setMode(value);
    if (configId === 'model') return this.#setModel(value);
    await this.#talk.setEffort(efforts.find((each) => each === value));
    this.#effort = value;
  }

  async #setModel(model: string): Promise<void> {
    await this.#talk.setModel(model);
    this.#model = model;
    if (!this.#levels.some((level) => level === this.#effort)) this.#effort = UNSET;
  }

  /** The effort levels of the chosen model. */
  get #levels(): readonly Effort[] {
    const model = this.#models.find(({ value }) => value === this.#model);
    const levels = isObject(model) && model.supportsEffort === true ? model.supportedEffortLevels : [];
    return efforts.filter((level) => Array.isArray(levels) && levels.includes(level));
  }
}

function select<Option extends object>(option: Option): Option & { readonly type: 'select' } {
  return { type: 'select', ...option };
}
