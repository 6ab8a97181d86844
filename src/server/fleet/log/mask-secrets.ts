import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { eventOf, type LogEntry } from '../../console/log/entry.js';

const MASK = '[masked]';
/** Maps whose values may be keys and tokens. */
const MAPS: ReadonlySet<string> = new Set(['env', 'headers']);
/** Texts that are keys, tokens, or commands that print them. */
const SECRET = /key|token|secret|password|credential|helper$|authRefresh$/i;
const ADDRESS = /ur[il]$/i;
/** The host of an address, and the rest: a user, a path or a query may contain a token. */
const PARTS = /^(\w+:\/\/)(?:[^/?#]*@)?([^/?#]*)(.*)$/s;
/** Flags whose values may contain keys. */
const SECRET_FLAG = /^--?[\w-]*(?:key|token|secret|password|auth|settings|config)$/i;

/**
 * An entry without keys and tokens: workers have their own, and everyone can read the log. They are in the command line of a
 * CLI, and in what hosts and CLIs tell each other about MCP servers and settings.
 */
export function maskSecrets(entry: LogEntry): LogEntry {
  if (!isWorthALook(entry)) return entry;
  return { ...entry, rest: JSON.stringify(maskedEvent(eventOf(entry))).slice(1) };
}

function isWorthALook({ rest }: LogEntry): boolean {
  return rest.startsWith('"kind":"header"') || /"type":\s*"control_re/.test(rest);
}

function maskedEvent(event: unknown): unknown {
  if (!isObject(event)) return event;
  if (event.kind === 'header') return { ...event, argv: maskedWords(event.argv) };
  const { from, frame } = event;
  // Programs answer what a CLI asks as the log has it; the transcript has the same input of tools.
  const isAsked = from === 'cli' && isObject(frame) && frame.type === 'control_request';
  return isAsked ? event : masked(event);
}

function maskedWords(argv: unknown): unknown {
  if (!Array.isArray(argv)) return argv;
  return argv.map((word, index) => {
    const [flag = '', ...value] = String(word).split('=');
    if (SECRET_FLAG.test(String(argv[index - 1]))) return MASK;
    return value.length > 0 && SECRET_FLAG.test(flag) ? `${flag}=${MASK}` : word;
  });
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskedAt(key, each)]));
}

function maskedAt(key: string, value: unknown): unknown {
  if (MAPS.has(key) && isObject(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]));
  if (key === 'args' && Array.isArray(value)) return value.map(() => MASK);
  if (key === 'agents' && isObject(value)) return maskedAgents(value);
  if (typeof value !== 'string') return masked(value);
  if (SECRET.test(key)) return MASK;
  return ADDRESS.test(key) ? maskedAddress(value) : value;
}

/** What an agent is told may name keys, and nobody reads it from the log. */
function maskedAgents(agents: WireObject): unknown {
  const masking = (agent: unknown) =>
    masked(isObject(agent) && 'prompt' in agent ? { ...agent, prompt: MASK } : agent);
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, masking(agent)]));
}

function maskedAddress(address: string): string {
  return address.replace(PARTS, (_all, scheme: string, host: string, rest: string) =>
    rest === '' || rest === '/' ? `${scheme}${host}${rest}` : `${scheme}${host}/${MASK}`,
  );
}
