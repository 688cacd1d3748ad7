import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { countedNetworks } from './address.server.ts';
import { makeLimiter } from './rate-limit.server.ts';

const addressKey = (address: string) => countedNetworks(address)[0]?.key;

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['192.0.2.7', '192.0.2.7'],
  ['unknown', 'unknown'],
  ['a@example.org\n2001:db8:1:2::1', 'a@example.org\n2001:db8:1:2::/64'],
  ['a:b@example.org', 'a:b@example.org'],
  ['TRV7K2M9QXD4HPBR', 'TRV7K2M9QXD4HPBR'],
])('%s counts as %s', (address, key) => expect(addressKey(address)).toBe(key));

test('wider networks have more points', () => {
  expect(countedNetworks('2001:db8:1:2ff::1')).toEqual([
    { key: '2001:db8:1:2ff::/64', factor: 1 },
    { key: '2001:db8:1:200::/56', factor: 4 },
    { key: '2001:db8:1:0::/48', factor: 16 },
  ]);
  expect(countedNetworks('192.0.2.7')).toHaveLength(1);
});

test('all addresses of a /64 count as one, those of another do not', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((one) => one.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(half, half, half, (net, host, other) => {
      const first = ['2001', ...net.slice(1)];
      const key = addressKey([...first, ...host].join(':'));
      expect(addressKey([...first, ...other].join(':'))).toBe(key);
      expect(addressKey(['2002', ...net.slice(1), ...host].join(':'))).not.toBe(key);
    }),
  );
});

test('a limit is not widened by going through the addresses of a /64', async () => {
  const { pool } = await useDatabase();
  const limiter = makeLimiter(pool, { name: 'per_net', points: 2, seconds: 60 });
  const allowed = [];
  for (const host of ['1', '2', '3', 'ffff:1']) {
    allowed.push((await limiter.consume(`2001:db8:1:2::${host}`)).allowed);
  }
  expect(allowed).toEqual([true, true, false, false]);
  expect((await limiter.consume('2001:db8:1:3::1')).allowed).toBe(true);
});

test('nor by going through the networks of a /56 or a /48, and what one uses up is not its neighbours’', async () => {
  const { pool } = await useDatabase();
  const limiter = makeLimiter(pool, { name: 'per_prefix', points: 1, seconds: 60 });
  const consume = async (address: string) => (await limiter.consume(address)).allowed;
  const allowed = [];
  for (let net = 0; net < 75; net += 1)
    allowed.push(await consume(`2001:db8:1:${net.toString(16)}::1`));
  expect(allowed.filter(Boolean)).toHaveLength(4);
  // What was refused to the one /56 has not been counted for the /48.
  for (let net = 1; net < 16; net += 1) await consume(`2001:db8:1:${net.toString(16)}00::1`);
  expect(await consume('2001:db8:1:ff00::1')).toBe(false);
  expect(await consume('2001:db8:2::1')).toBe(true);
  await limiter.reset('2001:db8:1:ff00::1');
  expect(await consume('2001:db8:1:ff00::1')).toBe(true);
});
