import { isIP } from 'node:net';
import { describe, expect, test } from 'vitest';
import { checkAddress, checkedLookup, isPrivate } from '../../../../src/server/console/webhooks/addresses.js';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  // A mapped address is the IPv4 address.
  '::ffff:8.8.8.8',
];

const PRIVATE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::2',
  // Addresses that embed an IPv4 address, in every form.
  '::8.8.8.8',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '::ffff:0:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2001:0:1::1',
  '2002:7f00:1::1',
  '100::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'feff::1',
  'ff02::1',
  'not an address',
];

describe('an address of a webhook', () => {
  test.each(PUBLIC)('%s is public', (address) => expect(isPrivate(address)).toBe(false));

  test.each(PRIVATE)('%s is not public', (address) => expect(isPrivate(address)).toBe(true));

  test('may be public, as an IPv4 and an IPv6 address', () => {
    for (const url of ['https://93.184.215.14/hook', 'https://[2606:4700:4700::1111]/hook'])
      expect(checkAddress(url, new Set()).href).toBe(url);
  });
});

describe('a name of a webhook', () => {
  /** Connects to a name with these addresses; resolves with the addresses, or rejects. */
  const connect = (addresses: readonly string[], { named = '', all = true } = {}) =>
    new Promise((resolve, reject) => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const look = checkedLookup(new Set([named]), (_name, _options, callback) => callback(null, found));
      look('hook.example', { all }, (error, address) => (error === null ? resolve(address) : reject(error)));
    });

  test('may lead to public addresses of both families', async () => {
    const both = ['93.184.215.14', '2606:4700:4700::1111'];
    expect(await connect(both)).toEqual(both.map((address) => ({ address, family: isIP(address) })));
    expect(await connect(both, { all: false })).toBe('93.184.215.14');
  });

  test.each([
    ['a private address', ['10.0.0.1']],
    ['a mapped private address', ['::ffff:10.0.0.1']],
    ['a public and a private address', ['93.184.215.14', '10.0.0.1']],
    ['a public address and this machine', ['2606:4700:4700::1111', '::1']],
    ['nothing', []],
  ])('may not lead to %s', async (_what, addresses) => {
    await expect(connect(addresses)).rejects.toMatchObject({ code: 'WEBHOOK_REFUSED' });
    if (addresses.length > 0)
      expect(await connect(addresses, { named: 'hook.example' })).toHaveLength(addresses.length);
  });
});
