import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The files of a certificate for 127.0.0.1 and its key; undefined if openssl is not here. */
export function makeCertificate(folder: string): { readonly key: string; readonly cert: string } | undefined {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const how = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  const of = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const { status } = spawnSync('openssl', [...how, ...of, '-keyout', key, '-out', cert]);
  return status === 0 ? { key, cert } : undefined;
}
