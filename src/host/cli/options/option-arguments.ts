import type { CliOptions, LocalPlugin, ThinkingOption } from './cli-options.js';
import type { Argument, PassingContext } from './passing.js';

/** Plugin folders, each with its own flag. */
export function pluginArguments(plugins: readonly LocalPlugin[]): Argument[] {
  return plugins.map(({ path, skipMcpDiscovery }) => ({
    flag: skipMcpDiscovery === true ? '--plugin-dir-no-mcp' : '--plugin-dir',
    value: path,
  }));
}

/** Skills are allowed by rules of the `Skill` tool. */
export function skillArguments(skills: readonly string[] | 'all'): Argument[] {
  const rules = skills === 'all' ? ['Skill'] : skills.map((name) => `Skill(${name})`);
  return rules.length === 0 ? [] : [{ flag: '--allowedTools', value: rules.join(',') }];
}

/** Settings and sandbox share one flag. */
export function settingsArguments({ settings, sandbox }: CliOptions): Argument[] {
  if (typeof settings === 'string') return [fileOrText('--settings', settings)];
  const value = JSON.stringify({ ...settings, ...(sandbox === undefined ? {} : sandboxSettings(sandbox)) });
  return [{ flag: '--settings', value, takesFile: true, secret: true }];
}

/** The value of a flag that takes JSON or the path of a file. */
export function fileOrText(flag: string, value: string): Argument {
  return isJsonText(value) ? { flag, value, takesFile: true, secret: true } : { flag, value };
}

/** Whether such a value is JSON. */
export function isJsonText(value: string): boolean {
  return /^\s*\{/.test(value);
}

/** A requested sandbox that is not available must not be left out silently. */
function sandboxSettings(sandbox: Readonly<Record<string, unknown>>): object {
  const strict = sandbox.enabled === true ? { failIfUnavailable: true } : {};
  return { sandbox: { ...strict, ...sandbox } };
}

/** Old CLIs know only the token limit, newer ones also a mode. */
export function thinkingArguments(thinking: ThinkingOption, { capabilities }: PassingContext): Argument[] {
  if (thinking.type === 'disabled') {
    return capabilities.version === undefined || capabilities.takesFlag('--thinking')
      ? [{ flag: '--thinking', value: 'disabled' }]
      : [{ flag: '--max-thinking-tokens', value: '0' }];
  }
  const display: Argument[] =
    thinking.display === undefined ? [] : [{ flag: '--thinking-display', value: thinking.display }];
  if (thinking.type === 'adaptive') return [{ flag: '--thinking', value: 'adaptive' }, ...display];
  const { budgetTokens } = thinking;
  const enabled: Argument =
    budgetTokens === undefined
      ? { flag: '--thinking', value: 'enabled' }
      : { flag: '--max-thinking-tokens', value: String(budgetTokens) };
  return [enabled, ...display];
}
