import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Call, ControlAnswer } from './call.js';

/** Options for reloading plugins. */
export interface ReloadPluginsOptions extends RequestOptions {
  /** Plugins to add; as on the wire. */
  readonly addPlugins?: unknown[] | undefined;
  /** Changes nothing that would invalidate the prompt cache. */
  readonly holdOnCacheImpact?: boolean | undefined;
  /** Fails if the CLI is busy. */
  readonly refuseIfBusy?: boolean | undefined;
}

/** Control methods about settings and about what is loaded from disk. */
export class SettingsControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Returns the current settings, their sources, and the resulting values. */
  get(options?: RequestOptions): Promise<ControlAnswer<'get_settings'>> {
    return this.#call('get_settings', {}, options);
  }

  /** Overrides settings for this session, immediately; null removes a key again. */
  async apply(settings: WireObject, options?: RequestOptions): Promise<void> {
    await this.#call('apply_flag_settings', { settings }, options);
  }

  /** Writes one of the few permitted keys to a settings file. */
  async update(
    source: 'userSettings' | 'localSettings',
    settings: WireObject,
    options?: RequestOptions,
  ): Promise<void> {
    await this.#call('update_settings', { source, settings }, options);
  }

  /** Lists the active permission rules with their sources. */
  permissionRules(options?: RequestOptions): Promise<ControlAnswer<'list_permission_rules'>> {
    return this.#call('list_permission_rules', {}, options);
  }

  /** Lists the configured hooks, the events they can bind to, and what policy allows. */
  hooks(options?: RequestOptions): Promise<ControlAnswer<'get_hooks_listing'>> {
    return this.#call('get_hooks_listing', {}, options);
  }

  /** Lists the available models. */
  models(options?: RequestOptions): Promise<ControlAnswer<'list_models'>> {
    return this.#call('list_models', {}, options);
  }

  /** Reloads plugins from disk and reports what they provide. */
  reloadPlugins({
    addPlugins,
    holdOnCacheImpact,
    refuseIfBusy,
    ...options
  }: ReloadPluginsOptions = {}): Promise<ControlAnswer<'reload_plugins'>> {
    const params = {
      add_plugins: addPlugins,
      hold_on_cache_impact: holdOnCacheImpact,
      refuse_if_busy: refuseIfBusy,
    };
    return this.#call('reload_plugins', params, options);
  }

  /** Reloads skills from disk and lists them. */
  reloadSkills(options?: RequestOptions): Promise<ControlAnswer<'reload_skills'>> {
    return this.#call('reload_skills', {}, options);
  }

  /** Reloads output styles from disk and lists their names. */
  reloadOutputStyles(options?: RequestOptions): Promise<ControlAnswer<'reload_output_styles'>> {
    return this.#call('reload_output_styles', {}, options);
  }
}
