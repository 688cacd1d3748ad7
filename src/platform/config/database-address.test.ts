import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressMistake, asksForWritable, ownerAddress, serversOf } from './database-address.ts';

const names = (address: string) => serversOf(address)?.map(({ name }) => name);

describe('the servers of an address', () => {
  it('are those between account and database, in their order, each with its port', () => {
    expect(names('postgres://u:p@one,two:5433,[::1]:5434/lale?sslmode=verify-full')).toEqual([
      'one:5432/lale',
      'two:5433/lale',
      '[::1]:5434/lale',
    ]);
  });

  it('keep account, database and parameters, each for itself', () => {
    expect(serversOf('postgresql://u:p@one:1,two/lale?a=b')?.map(({ url }) => url)).toEqual([
      'postgresql://u:p@one:1/lale?a=b',
      'postgresql://u:p@two/lale?a=b',
    ]);
  });

  it('are not divided by what stands in the password', () => {
    expect(names('postgres://u:p,a@b@one,two/lale')).toEqual(['one:5432/lale', 'two:5432/lale']);
  });

  it('are one for one host, and for a folder of sockets', () => {
    expect(names('postgres://u:p@one/lale')).toEqual(['one:5432/lale']);
    expect(serversOf('postgres:///lale?host=/run/postgresql')?.[0]?.host).toBe('');
  });

  it('are named by the parameter where there is one, as the driver takes it', () => {
    expect(serversOf('postgres://localhost/lale?host=db.internal')?.[0]?.host).toBe('db.internal');
  });

  it('come back from any list of hosts and ports', () => {
    const host = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
    const server = fc.tuple(host, fc.integer({ min: 1, max: 65_535 }));
    fc.assert(
      fc.property(fc.array(server, { minLength: 1, maxLength: 5 }), (servers) => {
        const hosts = servers.map((one) => one.join(':')).join(',');
        expect(names(`postgres://u:p@${hosts}/lale`)).toEqual(
          servers.map((one) => `${one.join(':')}/lale`),
        );
      }),
    );
  });
});

describe('an address is refused', () => {
  it.each([
    ['another database', 'mysql://one/lale', 'postgres://'],
    ['a host between commas that is missing', 'postgres://u:p@one,,two/lale', 'commas'],
    ['a port that is none', 'postgres://u:p@one:port/lale', 'commas'],
    ['several hosts among the parameters', 'postgres:///lale?host=one,two', 'host='],
    ['standbys', 'postgres://one,two/lale?target_session_attrs=standby', 'the service writes'],
  ])('with %s', (_what, address, why) => expect(addressMistake(address)).toContain(why));

  it('for nothing else', () => {
    expect(
      addressMistake('postgres://u:p@one,two/lale?target_session_attrs=read-write'),
    ).toBeNull();
    expect(addressMistake('postgres://one/lale')).toBeNull();
  });
});

it('one server is asked whether it can be written to where the address says so', () => {
  const asks = (address: string) => serversOf(address)?.map(asksForWritable);
  expect(asks('postgres://one/lale?target_session_attrs=read-write')).toEqual([true]);
  expect(asks('postgres://one/lale?target_session_attrs=any')).toEqual([false]);
  expect(asks('postgres://one/lale')).toEqual([false]);
});

describe('the owner’s address', () => {
  it.each([
    [
      'postgres://lale_owner@database:5432/lale',
      'postgres://lale_owner:p%2F%40@database:5432/lale',
    ],
    [
      'postgres://o@one,two/lale?sslmode=verify-full',
      'postgres://o:p%2F%40@one,two/lale?sslmode=verify-full',
    ],
    ['postgres://o:own@one/lale', 'postgres://o:own@one/lale'],
    ['postgres://one/lale', 'postgres://one/lale'],
  ])('%s gets the password where it has none', (DATABASE_URL, expected) => {
    expect(ownerAddress({ DATABASE_URL, DATABASE_OWNER_PASSWORD: 'p/@' })).toBe(expected);
    expect(ownerAddress({ DATABASE_URL })).toBe(DATABASE_URL);
  });

  it('is none without an address', () => {
    expect(ownerAddress({ DATABASE_URL: '', DATABASE_OWNER_PASSWORD: 'p' })).toBeUndefined();
  });
});
