import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';

/** Paths of PEM files: an authority, and a certificate that it signed. */
export interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Creates an authority in a folder, and a certificate for this machine. */
export function makeCertificates(folder: string): Certificates {
  const at = (name: string) => join(folder, name);
  const key = (name: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    at(name),
  ];
  openssl(
    'req',
    '-x509',
    ...key('ca.key'),
    '-out',
    at('ca.pem'),
    '-subj',
    '/CN=Test authority',
    '-days',
    '2',
  );
  openssl('req', ...key('own.key'), '-out', at('own.csr'), '-subj', '/CN=localhost');
  writeFileSync(
    at('own.ext'),
    'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n',
  );
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('own.ext')];
  openssl('x509', '-req', '-in', at('own.csr'), ...signed, '-out', at('own.pem'), '-days', '2');
  return { ca: at('ca.pem'), cert: at('own.pem'), key: at('own.key') };
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

/** A user of an operator's account, as `nsc` creates it: the server configuration, and the user's `.creds` file. */
export function makeOperator(folder: string): { readonly config: string; readonly creds: string } {
  const [operator, system, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ];
  const free = { subs: -1, data: -1, payload: -1 };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const noStorage = { mem_storage: 0, disk_storage: 0, streams: 0, consumer: 0 };
  const limits = { ...free, ...storage, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const operatorToken = token(operator, operator, { type: 'operator' });
  const accountToken = token(operator, account, { type: 'account', limits });
  const userToken = token(account, user, { type: 'user', ...free });
  const creds = join(folder, 'user.creds');
  const seed = new TextDecoder().decode(user.getSeed());
  writeFileSync(
    creds,
    `-----BEGIN NATS USER JWT-----\n${userToken}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
    { mode: 0o600 },
  );
  const systemToken = token(operator, system, { type: 'account', limits: { ...limits, ...noStorage } });
  const [own, others] = [account, system].map((each) => each.getPublicKey());
  const config = `operator: ${operatorToken}
system_account: ${others}
resolver: MEMORY
resolver_preload: { ${own}: ${accountToken}, ${others}: ${systemToken} }`;
  return { config, creds };
}

/** A user with a key: the server configuration, and the file with the user's seed. */
export function makeNkey(folder: string): { readonly publicKey: string; readonly file: string } {
  const user = nkeys.createUser();
  const file = join(folder, 'user.nk');
  writeFileSync(file, `${new TextDecoder().decode(user.getSeed())}\n`, { mode: 0o600 });
  return { publicKey: user.getPublicKey(), file };
}

function token(issuer: nkeys.KeyPair, subject: nkeys.KeyPair, nats: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: 'test',
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { ...nats, version: 2 },
  };
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${signed}.${Buffer.from(issuer.sign(new TextEncoder().encode(signed))).toString('base64url')}`;
}
