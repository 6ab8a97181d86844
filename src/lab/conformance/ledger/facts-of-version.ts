import { cliRequests, hookEvents, hostRequests, messages } from '../../../wire/protocol/catalog/catalog.js';
import { isRequirementId, requirementIds } from '../requirements/requirements.js';
import { isFullyProbed, settle, type VersionRecord } from './version-record.js';

/**
 * A version that was not probed in full contains names that it may or may not send. Its neighbours decide.
 */
export const UNSEEN = 'unseen';

/** Every known fact about a version, by id. */
export function factsOf(record: VersionRecord): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  const put = (id: string, value: string | undefined): void => {
    if (value !== undefined) facts.set(id, value);
  };
  for (const id of requirementIds) put(id, settle(record, id).verdict);
  for (const name of Object.keys(hostRequests)) put(`request:${name}`, requestFact(record, name));
  for (const name of Object.keys(messages)) put(`message:${name}`, sentFact(record, 'message', name));
  for (const name of Object.keys(cliRequests)) put(`cli-request:${name}`, sentFact(record, 'request', name));
  for (const name of Object.keys(hookEvents)) {
    const id = `hook-event:${name}`;
    if (!isRequirementId(id)) put(id, sentFact(record, 'request hook_callback', name));
  }
  const others = [...flagFacts(record), ...capabilityFacts(record), ...fieldFacts(record)];
  for (const [id, value] of others) put(id, value);
  return facts;
}

/**
 * The fate of a request: what the probes saw or, if they cannot send it, whether the program contains its
 * name.
 */
function requestFact(record: VersionRecord, name: string): string | undefined {
  const { verdict, detail } = settle(record, `endpoint:${name}`);
  if (hostRequests[name as keyof typeof hostRequests].reach === 'account') {
    if (record.named.includes(name)) return 'named';
    const unknown = settle(record, 'envelope:unknown-subtype').verdict;
    return unknown === undefined ? undefined : unknown === 'pass' ? 'unknown' : 'silent';
  }
  if (verdict === undefined || verdict === 'not-reachable') return undefined;
  if (verdict === 'pass' || /^(?:success|a plain ack)/.test(detail)) return 'served';
  if (verdict === 'silent') return 'silent';
  if (verdict === 'unsupported') return 'unknown';
  return detail.startsWith('the process ended') ? 'ends' : 'refused';
}

/** Whether something that the CLI sends was seen, or is at least named. */
function sentFact(record: VersionRecord, kind: string, name: string): string {
  const isSeen = record.seen.some(
    (each) => each === `${kind} ${name}` || each.startsWith(`${kind} ${name} `),
  );
  if (isSeen) return 'seen';
  const isNamed = name.split('/').every((word) => record.named.includes(word));
  if (!isNamed) return 'no';
  return isFullyProbed(record) ? 'named' : UNSEEN;
}

function flagFacts({ listed, taken, refused }: VersionRecord): readonly [string, string][] {
  return [
    ...refused.map((flag): [string, string] => [`flag:${flag}`, 'no']),
    ...taken.map((flag): [string, string] => [`flag:${flag}`, 'hidden']),
    ...listed.map((flag): [string, string] => [`flag:${flag}`, 'listed']),
  ];
}

function capabilityFacts({ seen }: VersionRecord): readonly [string, string][] {
  return seen
    .filter((each) => each.startsWith('capability '))
    .map((each) => [each.replace(' ', ':'), 'seen']);
}

function fieldFacts({ fields = {} }: VersionRecord): readonly [string, string][] {
  return Object.entries(fields).map(([name, isNamed]) => [`field:${name}`, isNamed ? 'named' : 'no']);
}
