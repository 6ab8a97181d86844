import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { CoxswainError } from '../../../wire/util/errors.js';

/** Addresses of this machine and its network, and addresses that do not name a single machine. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  // Addresses that embed an IPv4 address lead wherever that leads. Mapped ones (::ffff:0:0/96) are not listed: Node
  // checks them by the IPv4 rules, and checks every IPv4 address by a rule for mapped ones.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

/** Whether an address is not on the public internet. */
export function isPrivate(address: string): boolean {
  const kind = isIP(address);
  return kind === 0 || PRIVATE.check(address, kind === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Checks a webhook's URL, as far as the URL itself says. A name is checked on connection, because its address may
 * change. @throws CoxswainError `WEBHOOK_REFUSED`.
 */
export function checkAddress(address: string, named: ReadonlySet<string>): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw refusal('The URL of a webhook must begin with https:// or http://.');
  if (url.username !== '' || url.password !== '')
    throw refusal('The URL of a webhook must not contain a password.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isOpen =
    named.has(url.hostname.toLowerCase()) || (isIP(host) === 0 ? host !== 'localhost' : !isPrivate(host));
  if (!isOpen)
    throw refusal(`${url.hostname} is an address of this machine or its network (--webhook-host).`);
  return url;
}

/** Finds all addresses of a name. */
export type LookUpAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Resolves a name for a connection; fails if any of its addresses is private, unless the name was allowed. */
export function checkedLookup(named: ReadonlySet<string>, lookUp: LookUpAll = lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, [], 0);
        return;
      }
      const bad = named.has(hostname.toLowerCase())
        ? undefined
        : found.find(({ address }) => isPrivate(address));
      const [first] = found;
      if (bad !== undefined || first === undefined) {
        callback(refusal(`${hostname} resolves to ${bad?.address ?? 'nowhere'} (--webhook-host).`), [], 0);
      } else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

function refusal(message: string): CoxswainError {
  return new CoxswainError('WEBHOOK_REFUSED', message);
}
