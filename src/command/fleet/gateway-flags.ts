import { CoxswainError } from '../../wire/util/errors.js';
import type { ConsoleFlags } from '../console/run-console.js';
import { flagOf } from '../flag-names.js';

/** Flags about CLIs: a gateway has none. */
const NOT_OF_GATEWAYS = [
  'root',
  'cli',
  'patched',
  'sandbox',
  'maxRunning',
  'idle',
  'onLimit',
  'holdAbove',
  'maxBudgetUsd',
  'ownerBudgetUsd',
  'dayBudgetUsd',
  'totalBudgetUsd',
  'demo',
] as const satisfies readonly (keyof ConsoleFlags)[];

/** Flags of gateways alone. */
const OF_GATEWAYS = [
  'label',
  'priority',
  'keep',
  'cliVersion',
  'namespace',
  'replicas',
  'creds',
  'nkey',
  'natsCa',
  'natsCert',
  'natsKey',
] as const satisfies readonly (keyof ConsoleFlags)[];

/** Refuses flags that would do nothing. @throws CoxswainError `OPTION_INVALID` */
export function checkGatewayFlags(flags: ConsoleFlags): void {
  const isGateway = flags.nats !== undefined;
  const useless = (isGateway ? NOT_OF_GATEWAYS : OF_GATEWAYS).filter((name) => flags[name] !== undefined);
  if (useless.length === 0) return;
  const names = useless.map(flagOf).join(', ');
  const why = isGateway
    ? `${names} cannot be used with --nats: a gateway has no CLIs. See coxswain worker --help.`
    : `${names} can only be used with --nats.`;
  throw new CoxswainError('OPTION_INVALID', why);
}
