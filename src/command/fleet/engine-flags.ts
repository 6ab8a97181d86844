import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { EngineOptions } from '../../server/fleet/engine/engine-options.js';
import type { CommandContext } from '../command-context.js';
import { collect, parseCount } from '../parse.js';

/** Options for connecting to a fleet's engine. */
export interface EngineFlags {
  readonly nats?: readonly string[];
  readonly namespace?: string;
  readonly replicas?: number;
  readonly creds?: string;
  readonly nkey?: string;
  readonly natsCa?: string;
  readonly natsCert?: string;
  readonly natsKey?: string;
}

/** Variables with credentials, or with where they are. */
export const NATS_VARIABLES = [
  'NATS_USER',
  'NATS_PASSWORD',
  'NATS_TOKEN',
  'NATS_CREDS',
  'NATS_NKEY',
] as const;

const IN_ADDRESS =
  'The address of NATS contains credentials, and every user of this machine can read a command line: set NATS_USER and NATS_PASSWORD, or NATS_TOKEN.';

/** Adds them to a command. */
export function withEngineOptions(command: Command): Command {
  return command
    .option('--nats <url>', 'the URL of a NATS server; repeatable', collect)
    .option('--namespace <name>', 'the name of the fleet, if the servers run several (default: coxswain)')
    .option(
      '--replicas <count>',
      'how many servers keep each stream (default: 3 in a cluster, else 1)',
      parseCount,
    )
    .option('--creds <file>', 'the credentials for NATS')
    .option('--nkey <file>', 'a file with the nkey seed for NATS')
    .option('--nats-ca <file>', 'the CA certificate for the NATS servers (PEM)')
    .option('--nats-cert <file>', 'a certificate for NATS (PEM); needs --nats-key')
    .option('--nats-key <file>', 'its key (PEM)');
}

/**
 * Their values. A user or token comes from the address, from NATS_USER and NATS_PASSWORD, or from NATS_TOKEN.
 */
export function engineOptions(
  flags: EngineFlags,
  { cwd, env, writeErr }: Pick<CommandContext, 'cwd' | 'env' | 'writeErr'>,
): EngineOptions {
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(cwd, file));
  const { nats = [], namespace, replicas, natsCa, natsCert, natsKey } = flags;
  if (nats.some(hasCredentials)) writeErr(`${IN_ADDRESS}\n`);
  const tls = { ca: path(natsCa), cert: path(natsCert), key: path(natsKey) };
  return {
    nats,
    namespace,
    replicas,
    creds: path(flags.creds ?? env.NATS_CREDS),
    nkey: path(flags.nkey ?? env.NATS_NKEY),
    user: env.NATS_USER,
    pass: env.NATS_PASSWORD,
    token: env.NATS_TOKEN,
    tls: Object.values(tls).every((each) => each === undefined) ? undefined : tls,
    onDiagnostic: ({ message }) => writeErr(`${message}\n`),
  };
}

function hasCredentials(address: string): boolean {
  const { username, password } = URL.canParse(address) ? new URL(address) : { username: '', password: '' };
  return username !== '' || password !== '';
}
