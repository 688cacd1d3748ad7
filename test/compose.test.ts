import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { heapFlags } from '../scripts/heap-flags.mjs';
import { environment } from '../src/platform/config/config-environment.server.ts';
import { readS3Address } from '../src/platform/config/s3-address.server.ts';
import { environmentOf, exampleVariables, interpolated, readCompose } from './image/compose.ts';
import { build, readDockerfile } from './image/dockerfile.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
const compose = readCompose(root);
const { services } = compose;
const dockerfile = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const caddyfile = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8');
const ours = ['web-1', 'web-2', 'worker', 'migrate'];
const example = exampleVariables(root);
const known = new Set(Object.keys(environment.shape));

const service = (name: string) => {
  const found = services[name];
  if (!found) throw new Error(`There is no service ${name}`);
  return found;
};
const valuesOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((one) => [one, `value-of-${one}`]));
const OWNER = 'DATABASE_OWNER_PASSWORD';
const variablesOf = (name: string) =>
  environmentOf(service(name), valuesOf(example), valuesOf([OWNER]));

describe('compose.yaml', () => {
  test('has two web processes, a worker, the database, a file store and a proxy, and no test mail', () => {
    expect(Object.keys(services).toSorted()).toEqual(
      [...ours, 'database', 'files', 'proxy'].toSorted(),
    );
    expect(text).not.toMatch(/mailpit|mailhog|MODE: test/);
  });

  test.each(Object.keys(services))('%s gains no right, and its root is read only', (name) => {
    const { cap_drop, security_opt, read_only } = service(name);
    expect([cap_drop, security_opt, read_only]).toEqual([
      ['ALL'],
      ['no-new-privileges:true'],
      true,
    ]);
  });

  test.each(ours)('%s runs our image in live mode, with no further right and no folder', (name) => {
    const { build: context, cap_add, volumes, ports } = service(name);
    expect([context, cap_add, volumes, ports]).toEqual(['.', undefined, undefined, undefined]);
    expect(variablesOf(name)).toMatchObject({ MODE: 'live', TRUST_PROXY: 'yes' });
    expect(Number.parseInt(service(name).stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(80);
  });

  test('only the proxy can be reached from outside', () => {
    const open = Object.keys(services).filter((name) => service(name).ports);
    expect(open).toEqual(['proxy']);
    for (const name of ['database', 'files']) expect(service(name).networks).toEqual(['inside']);
    expect(compose.networks.inside?.internal).toBe(true);
  });

  test('our processes get every variable that the service reads and no other', () => {
    // The image decides where it listens and what it writes to.
    const ofImage = ['HOST', 'PORT', 'DATA_DIR'];
    const read = [...known].filter((name) => !ofImage.includes(name)).toSorted();
    for (const name of ours) {
      const own = Object.keys(service(name).environment ?? {});
      expect(own.toSorted(), name).toEqual(read);
    }
  });

  test('the owner’s password is with the database and who migrates alone; the store’s secret with the store', () => {
    const knowing = (secret: string) =>
      Object.keys(services).filter((name) =>
        Object.entries(variablesOf(name)).some(([key, value]) =>
          `${key} ${value}`.includes(secret),
        ),
      );
    expect(knowing(OWNER).toSorted()).toEqual(['database', 'migrate']);
    expect(knowing('FILES_RPC_SECRET')).toEqual(['files']);
    expect(interpolated(text)).not.toContain(OWNER);
    expect(service('migrate').env_file).toBe('.env.owner');
    expect(service('database').entrypoint?.join(' ')).toContain(`"$$${OWNER}"`);
    for (const file of ['.gitignore', '.dockerignore'])
      expect(readFileSync(join(root, file), 'utf8')).toMatch(/^\.env\.(owner|\*)$/m);
  });

  test('what runs together fits into the memory that the guide asks for', () => {
    const running = Object.entries(services).filter(([name]) => name !== 'migrate');
    const megabytes = running.map(([name, { mem_limit: limit = '' }]) => {
      const [, amount, unit] = /^(\d+)([mg])$/.exec(limit) ?? [];
      expect(amount, name).toBeDefined();
      return Number(amount) * (unit === 'g' ? 1024 : 1);
    });
    const total = megabytes.reduce((sum, one) => sum + one, 0);
    expect(readFileSync(join(root, 'docs/going-live.md'), 'utf8')).toContain('4 GB of memory');
    // What is left is the system's.
    expect(total).toBeLessThanOrEqual(4096 - 256);
  });

  test('what it leaves to .env stands in .env.example, which is no secret itself', () => {
    expect(interpolated(text).filter((name) => !example.includes(name))).toEqual([]);
    expect(new Set(example).size).toBe(example.length);
    for (const file of ['.gitignore', '.dockerignore']) {
      expect(readFileSync(join(root, file), 'utf8').split('\n')).toContain('.env');
    }
  });

  test('names only services, networks, volumes and files that there are', () => {
    for (const { depends_on = {}, networks, volumes = [] } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(Object.keys(services)).toContain(name);
        const { healthcheck, restart, build: isOurs } = service(name);
        if (condition === 'service_healthy') {
          expect(healthcheck ?? isOurs, name).toBeDefined();
          expect(healthcheck).not.toEqual({ disable: true });
        }
        if (condition === 'service_completed_successfully') expect(restart).toBe('no');
      }
      for (const name of networks) expect(Object.keys(compose.networks)).toContain(name);
      for (const [from = ''] of volumes.map((volume) => volume.split(':'))) {
        if (from.startsWith('./')) expect(existsSync(join(root, from)), from).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(from);
      }
    }
  });

  test('the schema is migrated by its owner; the others use an account that owns nothing', () => {
    const accounts = ours.map((name) => new URL(variablesOf(name).DATABASE_URL ?? '').username);
    expect(accounts).toEqual(['lale', 'lale', 'lale', 'lale_owner']);
    expect(service('migrate').command).toEqual([
      'node',
      'scripts/start.mjs',
      'cli',
      'migrate',
      'lale',
    ]);
    expect(readFileSync(join(root, 'deploy/database-account.sh'), 'utf8')).toContain('role lale ');
  });

  test('the store has the bucket and region that our processes ask for', () => {
    const { bucket, endpoint, region } = readS3Address(variablesOf('web-1').FILES_URL ?? '');
    const garage = readFileSync(join(root, 'deploy/garage.toml'), 'utf8');
    expect(variablesOf('files').GARAGE_DEFAULT_BUCKET).toBe(bucket);
    expect(garage).toContain(`s3_region = "${region}"`);
    expect(endpoint).toBe('http://files:3900');
    expect(garage).toContain('0.0.0.0:3900');
  });

  test('the proxy asks the web processes whether they are ready, often enough for their grace', () => {
    const port = dockerfile.find(({ name }) => name === 'EXPOSE')?.rest;
    const balanced = [...caddyfile.matchAll(/reverse_proxy (?:@\w+ )?(web-1\S+ .+) \{\n(.*\n)/g)];
    expect(balanced).toHaveLength(2);
    for (const [, upstreams, first] of balanced) {
      expect(upstreams?.split(' ')).toEqual([`web-1:${port}`, `web-2:${port}`]);
      expect(first?.trim()).toBe('import checked');
    }
    expect(caddyfile).toMatch(/health_uri \/readyz\s+health_interval 1s/);
    for (const name of interpolated(caddyfile.replaceAll('{$', '${'))) {
      expect(Object.keys(service('proxy').environment ?? {})).toContain(name);
    }
  });

  test('images bear a whole version, so that each start is of the same', () => {
    const images = Object.values(services).flatMap(({ image, build: isOurs }) =>
      image && !isOurs ? [image] : [],
    );
    const bases = dockerfile.filter(({ name }) => name === 'FROM').map(({ rest }) => rest);
    for (const image of [...images, ...bases.map((base) => base.replace(/ AS \w+$/, ''))])
      expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+(\.\d+)?(-\w+)*$/);
  });
});

describe('the Dockerfile', () => {
  const last = dockerfile.slice(dockerfile.findLastIndex(({ name }) => name === 'FROM'));

  test('ends as an ordinary user, with a health check and without a shell in front', () => {
    const rests = (name: string) => last.filter((one) => one.name === name).map(({ rest }) => rest);
    expect(rests('USER')).toEqual(['1000:1000']);
    expect(rests('HEALTHCHECK').join()).toContain('/readyz');
    const command = ['node', ...heapFlags, 'scripts/start.mjs'];
    expect(rests('CMD').map((rest) => JSON.parse(rest))).toEqual([command]);
  });

  test('has no instruction that npm run drill -- image would not carry out', () => {
    const names = new Set(dockerfile.map(({ name }) => name));
    const carriedOut = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK'];
    expect([...names].filter((name) => ![...carriedOut, 'CMD'].includes(name))).toEqual([]);
    const odd = [
      { name: 'FROM', rest: 'x' },
      { name: 'ADD', rest: 'a b' },
    ];
    const options = { context: '/nowhere', into: '/tmp', path: '', say: () => undefined };
    expect(() => build(odd, options)).toThrow('ADD is not known');
  });

  test('copies with each script what it imports', () => {
    const [, copied = ''] =
      /^(scripts\/.+) scripts\/$/.exec(
        last.find(({ rest }) => rest.startsWith('scripts/'))?.rest ?? '',
      ) ?? [];
    const scripts = copied.split(' ');
    expect(scripts).toContain('scripts/start.mjs');
    for (const script of scripts) {
      const source = readFileSync(join(root, script), 'utf8');
      for (const [, name] of source.matchAll(/from '\.\/([\w.-]+)'/g))
        expect(scripts, script).toContain(`scripts/${name}`);
    }
  });

  test('copies files that there are', () => {
    for (const { name, rest } of dockerfile) {
      if (name !== 'COPY' || rest.startsWith('--from')) continue;
      for (const source of rest.split(' ').slice(0, -1)) {
        expect(existsSync(join(root, source)), source).toBe(true);
      }
    }
  });
});

test('the YAML says nothing twice', () => {
  expect(() => parse(text, { merge: true, strict: true, uniqueKeys: true })).not.toThrow();
});
