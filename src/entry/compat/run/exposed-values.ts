import { isObject } from '../../../wire/protocol/frames.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';

/** The flags whose values are prompts. */
const PROMPTS: readonly string[] = ['--system-prompt', '--append-system-prompt'];

/** The flags whose values can contain the variables and headers of servers, or prompts. */
const FLAGS = ['--mcp-config', '--settings', '--managed-settings', '--agents', ...PROMPTS];

const reportedHere = new Set<string>();

/** Warns once per flag and process about variables, headers and prompts that stay on a command line, where others can read them. */
export function reportVariables(
  args: readonly string[],
  warn: (diagnostic: Diagnostic) => void,
  reported = reportedHere,
): void {
  for (const flag of FLAGS) {
    const at = args.indexOf(flag);
    const text = args[at + 1];
    const value = PROMPTS.includes(flag) ? { prompt: text } : parsed(text);
    if (at === -1 || reported.has(flag) || !isExposed(value)) continue;
    reported.add(flag);
    const hint = flag === '--mcp-config' ? " Set mcpServersDelivery: 'initialize'." : '';
    warn({
      code: 'SECRET_IN_ARGUMENTS',
      message: `The value for ${flag} contains variables, headers or prompts and is on the command line, where every user of the machine can read it.${hint}`,
      flag,
    });
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function isExposed(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isExposed);
  if (!isObject(value)) return false;
  const { env = {}, headers = {}, prompt = '' } = value;
  const isFilled = [env, headers].some((each) => isObject(each) && Object.keys(each).length > 0);
  return isFilled || (typeof prompt === 'string' && prompt !== '') || Object.values(value).some(isExposed);
}
