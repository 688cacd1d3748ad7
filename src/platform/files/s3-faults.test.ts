import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { s3Account, startFaultyProxy, startS3, type TestS3 } from '../../../test/s3.ts';
import { ConfigError } from '../config/config-error.server.ts';
import type { S3Config } from '../config/config-files.server.ts';
import { makeSealer } from '../crypto/crypto.server.ts';
import { FilesUnavailable, gotNoFiles, type FileStore } from './file-store.server.ts';
import { sealedFiles } from './files.server.ts';
import { s3Store } from './s3-store.server.ts';

const sealer = makeSealer({
  data: [{ id: 'a', key: new Uint8Array(32) }],
  lookup: new Uint8Array(32),
});
const pdf = { mediaType: 'application/pdf' };
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
/** For stores that answer, however busy the machine is. */
const PATIENT_MS = 30_000;
/** For stores that never answer. */
const SHORT_MS = 800;

let s3: TestS3;
let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
beforeAll(async () => void (s3 = await startS3()));
afterAll(() => s3.close());
beforeEach(async () => void (proxy = await startFaultyProxy(s3.endpoint)));
const stores: FileStore[] = [];
afterEach(async () => {
  stores.splice(0).forEach((store) => store.close());
  await proxy.close();
});

function open(changes: Partial<S3Config> = {}) {
  const store = s3Store({
    bucket: s3.bucket,
    prefix: 'files',
    endpoint: proxy.endpoint,
    region: 'us-east-1',
    isPathStyle: true,
    credentials: s3Account,
    timeoutMs: PATIENT_MS,
    ...changes,
  });
  stores.push(store);
  return sealedFiles(store, sealer);
}

/** What stands in a start's message. */
async function mistakeOf(check: Promise<void>): Promise<string> {
  const error: unknown = await check.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ConfigError
    ? error.mistakes.join('\n')
    : `no ConfigError: ${String(error)}`;
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

describe('a start', () => {
  test('goes on where the bucket can be listed, written, read and removed from', async () => {
    await open().check();
    expect(new Set(proxy.seen)).toEqual(new Set(['GET', 'PUT', 'DELETE']));
  });

  test('names a store that does not answer', async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}`;
    expect(await mistakeOf(open({ endpoint }).check())).toMatch(
      /^FILES_URL: cannot list in s3:\/\/lale-files\/files \(http:\/\/127\.0\.0\.1:\d+\): nothing answers there \(ECONNREFUSED\)$/,
    );
  });

  test('names a host that does not exist', async () => {
    const mistake = await mistakeOf(open({ endpoint: 'http://store.invalid' }).check());
    expect(mistake).toMatch(
      /^FILES_URL: .*(no machine of this name|cannot be looked up|no answer)/,
    );
  });

  test('names a bucket that is not there', async () => {
    expect(await mistakeOf(open({ bucket: 'another' }).check())).toContain(
      'there is no such bucket (NoSuchBucket 404)',
    );
  });

  test.each([
    ['an unknown account', { ...s3Account, accessKeyId: 'SOMEBODY' }, 'AWS_ACCESS_KEY_ID'],
    ['a wrong secret', { ...s3Account, secretAccessKey: 'guessed' }, 'AWS_SECRET_ACCESS_KEY'],
  ])('names %s, without the secret', async (_, credentials, name) => {
    const mistake = await mistakeOf(open({ credentials }).check());
    expect(mistake).toContain(name);
    expect(mistake).not.toContain('guessed');
  });

  test('names an account that may read but not write', async () => {
    proxy.spoilBy((incoming, answer) => {
      if (incoming.method !== 'PUT') return false;
      answer.writeHead(403, { 'content-type': 'application/xml' });
      answer.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
      return true;
    });
    expect(await mistakeOf(open().check())).toMatch(/cannot write in .* do not allow it/);
  });
});

describe('while the store is down', () => {
  test('whoever needs a file learns that it is unavailable, not that it is not there', async () => {
    const files = open({ endpoint: `http://127.0.0.1:${await closedPort()}` });
    const uses = [
      () => files.put(Buffer.from('x'), pdf),
      () => files.read(UNKNOWN),
      () => files.remove(UNKNOWN),
    ];
    for (const use of uses) await expect(use()).rejects.toThrow(FilesUnavailable);
  });

  test('it is asked again, and nothing is noticed of a fault that passes', async () => {
    const files = open();
    const { id } = await files.put(Buffer.from('visa'), pdf);
    let faults = 0;
    proxy.spoilBy((_, answer) => {
      if (++faults > 2) return false;
      answer.writeHead(503).end();
      return true;
    });
    expect((await files.read(id))?.bytes.toString()).toBe('visa');
    faults = 0;
    const second = await files.put(Buffer.from('another'), pdf);
    proxy.spoilBy(() => false);
    expect((await files.read(second.id))?.bytes.toString()).toBe('another');
  });

  test('a fault that stays is an error after three attempts', async () => {
    const files = open();
    proxy.spoilBy((_, answer) => {
      answer.writeHead(500).end();
      return true;
    });
    await expect(files.put(Buffer.from('x'), pdf)).rejects.toThrow(FilesUnavailable);
    expect(proxy.seen).toEqual(['PUT', 'PUT', 'PUT']);
  });

  test('a connection that is cut in the middle of a file is no short file', async () => {
    const files = open();
    const { id } = await files.put(Buffer.alloc(100_000, 1), pdf);
    proxy.spoilBy((_, answer) => {
      answer.writeHead(200, { 'content-length': 100_040 });
      answer.write(Buffer.alloc(50_000, 1), () => answer.destroy());
      return true;
    });
    await expect(files.read(id)).rejects.toThrow(FilesUnavailable);
  });
});

describe('a slow store', () => {
  const within = async (use: Promise<unknown>) => {
    const began = performance.now();
    const error: unknown = await use.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, took: performance.now() - began };
  };

  test('that never answers is given up in time', async () => {
    proxy.spoilBy(() => true);
    const files = open({ timeoutMs: SHORT_MS });
    const slow = [files.put(Buffer.from('x'), pdf), files.read(UNKNOWN), files.remove(UNKNOWN)];
    for (const { error, took } of await Promise.all(slow.map(within))) {
      expect(gotNoFiles(error)).toBe(true);
      expect(String(error)).toContain(`no answer within ${SHORT_MS} ms`);
      expect(took).toBeLessThan(PATIENT_MS);
    }
  });

  test('that begins a file and never ends it is given up in time', async () => {
    const { id } = await open().put(Buffer.from('x'), pdf);
    proxy.spoilBy((_, answer) => {
      answer.writeHead(200, { 'content-length': 1000 });
      answer.write('the beginning');
      return true;
    });
    const { error, took } = await within(open({ timeoutMs: SHORT_MS }).read(id));
    expect(gotNoFiles(error)).toBe(true);
    expect(took).toBeLessThan(PATIENT_MS);
  });

  test('that hangs once is asked again', async () => {
    const files = open({ timeoutMs: 2000 });
    let asked = 0;
    proxy.spoilBy(() => ++asked === 1);
    const { id } = await files.put(Buffer.from('visa'), pdf);
    expect((await files.read(id))?.bytes.toString()).toBe('visa');
  });
});

test('an error that holds one of the storage is known as one', () => {
  expect(gotNoFiles(new Error('page failed', { cause: new FilesUnavailable('down') }))).toBe(true);
  expect(gotNoFiles(new Error('down'))).toBe(false);
});
