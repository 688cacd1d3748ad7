import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, afterEach, beforeEach } from 'vitest';
import { s3Account, startS3, type TestS3, startFaultyProxy } from '../../../test/s3.ts';
import { makeSealer, UnsealError } from '../crypto/crypto.server.ts';
import { readS3Address, type S3Config } from '../config/config-files.server.ts';
import { ConfigError } from '../config/config-error.server.ts';
import { type FileStore, FilesUnavailable, isFileStoreUnavailable } from './file-store.server.ts';
import { sealedFiles } from './files.server.ts';
import { folderStore } from './open-store.server.ts';
import { s3Store } from './s3-store.server.ts';

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-files-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let s3: TestS3 | undefined;
  beforeAll(async () => void (s3 = await startS3()));
  afterAll(() => s3?.close());

  const sealer = makeSealer({
    data: [{ id: 'a', key: new Uint8Array(32) }],
    lookup: new Uint8Array(32),
  });
  const pdf = { mediaType: 'application/pdf' };
  const UNKNOWN = '00000000-0000-4000-8000-000000000000';

  const bucket = (prefix: string): FileStore =>
    s3Store({
      ...readS3Address(s3?.url(prefix) ?? ''),
      region: 'eu-central-1',
      credentials: s3Account,
      timeoutMs: 60_000,
    });

  const kinds: [name: string, open: (part: string) => FileStore][] = [
    ['a folder', (part) => folderStore(join(folder, part))],
    ['an S3 bucket', bucket],
  ];

  async function idsOf(store: FileStore): Promise<string[]> {
    const ids: string[] = [];
    for await (const id of store.list()) ids.push(id);
    return ids.sort();
  }

  describe.each(kinds)('files in %s', (_, open) => {
    const opened: FileStore[] = [];
    const part = (name: string) => {
      const store = open(name);
      opened.push(store);
      return { store, files: sealedFiles(store, sealer) };
    };
    afterAll(() => opened.forEach((store) => store.close()));

    test('a file comes back with its type, and its size and hash are of what was given', async () => {
      const { files } = part('first');
      const kept = await files.put(Buffer.from('hello'), pdf);
      expect(kept).toMatchObject({
        size: 5,
        sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      });
      expect(await files.read(kept.id)).toEqual({ bytes: Buffer.from('hello'), ...pdf });
    });

    test('any bytes of any length come back as they were', async () => {
      const { files } = part('any');
      const about = fc.tuple(
        fc.uint8Array({ maxLength: 3000 }),
        fc.stringMatching(/^[a-z/+]{1,40}$/),
      );
      await fc.assert(
        fc.asyncProperty(about, async ([bytes, mediaType]) => {
          const { id } = await files.put(bytes, { mediaType });
          expect(await files.read(id)).toEqual({ bytes: Buffer.from(bytes), mediaType });
        }),
        { numRuns: 20 },
      );
    });

    test('a file of 20 MB comes back', async () => {
      const { files } = part('large');
      const bytes = Buffer.alloc(20 * 1024 * 1024, 7);
      const { id } = await files.put(bytes, pdf);
      expect((await files.read(id))?.bytes.equals(bytes)).toBe(true);
    });

    test('the storage shows nothing of it', async () => {
      const { files, store } = part('sealed');
      const { id } = await files.put(Buffer.from('secret visa'), pdf);
      const sealed = await store.read(id);
      expect(sealed?.length).toBeGreaterThan(11);
      expect(sealed?.includes('secret')).toBe(false);
      expect(sealed?.includes('pdf')).toBe(false);
    });

    test('an id that nothing is kept under has no file', async () => {
      const { files } = part('first');
      expect(await files.read(UNKNOWN)).toBeUndefined();
    });

    test('a file put in the place of another is refused', async () => {
      const { files, store } = part('exchanged');
      const a = await files.put(Buffer.from('a'), pdf);
      const b = await files.put(Buffer.from('b'), pdf);
      await store.write(a.id, (await store.read(b.id)) ?? Buffer.of());
      await expect(files.read(a.id)).rejects.toThrow(UnsealError);
    });

    test('a file of which the storage lost the end is refused', async () => {
      const { files, store } = part('truncated');
      const { id } = await files.put(Buffer.from('a visa of several words'), pdf);
      const sealed = (await store.read(id)) ?? Buffer.of();
      for (const length of [0, 1, 10, sealed.length - 17, sealed.length - 1]) {
        await store.write(id, sealed.subarray(0, length));
        await expect(files.read(id)).rejects.toThrow(UnsealError);
      }
    });

    test('what was removed is gone; removing it again, or what never was, is no error', async () => {
      const { files } = part('removed');
      const { id } = await files.put(Buffer.from('x'), pdf);
      await files.remove(id);
      await files.remove(id);
      await files.remove(UNKNOWN);
      expect(await files.read(id)).toBeUndefined();
    });

    test('an id cannot lead out of the place', async () => {
      const { store } = part('outside');
      const { files } = part('outside/within');
      const { id } = await sealedFiles(store, sealer).put(Buffer.from('x'), pdf);
      for (const other of [`../${id.slice(0, 2)}/${id}`, `../${id}`, `${id}/..`, '..', '', id]) {
        expect(await files.read(other)).toBeUndefined();
        await files.remove(other);
      }
      expect(await sealedFiles(store, sealer).read(id)).toBeDefined();
    });

    test('lists the ids of its files and of nothing else, more than one page of them', async () => {
      const { files, store } = part('listed');
      expect(await idsOf(store)).toEqual([]);
      const ids: string[] = [];
      // A page of a bucket's list has a thousand.
      for (let round = 0; round < 128; round++) {
        // Few at a time: each has to be answered within the limit on a busy machine, too.
        const put = Array.from({ length: 8 }, () => files.put(Buffer.from('x'), pdf));
        for (const { id } of await Promise.all(put)) ids.push(id);
      }
      await part('listed/other').files.put(Buffer.from('x'), pdf);
      await part('listed-beside').files.put(Buffer.from('x'), pdf);
      const listed = await idsOf(store);
      // A folder's own sub-folders are its own: nobody else writes there.
      expect(listed.filter((id) => ids.includes(id))).toEqual(ids.sort());
      expect(listed.length - ids.length).toBeLessThanOrEqual(1);
    });

    test('the check at start leaves nothing behind', async () => {
      const { files, store } = part('checked');
      await files.check();
      expect(await idsOf(store)).toEqual([]);
    });
  });

  test('the folder holds no half-written file', async () => {
    const files = sealedFiles(folderStore(folder), sealer);
    await files.put(Buffer.from('x'), pdf);
    const names = readdirSync(folder, { recursive: true }).map(String);
    expect(names.filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('an id cannot name another file of the folder', async () => {
    const files = sealedFiles(folderStore(folder), sealer);
    writeFileSync(join(folder, 'beside'), 'x');
    for (const id of ['beside', '../beside', 'be/../beside']) {
      expect(await files.read(id)).toBeUndefined();
      await files.remove(id);
    }
    expect(readFileSync(join(folder, 'beside'), 'utf8')).toBe('x');
  });

  test('a folder and a bucket name files alike, so that any tool can copy one to the other', async () => {
    const store = bucket('copied');
    const { id } = await sealedFiles(store, sealer).put(Buffer.from('x'), pdf);
    const whole = bucket(`copied/${id.slice(0, 2)}`);
    const sealed = (await store.read(id)) ?? Buffer.of();
    await folderStore(join(folder, 'copied')).write(id, sealed);
    expect(readFileSync(join(folder, 'copied', id.slice(0, 2), id)).equals(sealed)).toBe(true);
    expect(await idsOf(whole)).toEqual([]);
    store.close();
    whole.close();
  });
});

describe('s3 faults', () => {
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
        expect(isFileStoreUnavailable(error)).toBe(true);
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
      expect(isFileStoreUnavailable(error)).toBe(true);
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
    expect(
      isFileStoreUnavailable(new Error('page failed', { cause: new FilesUnavailable('down') })),
    ).toBe(true);
    expect(isFileStoreUnavailable(new Error('down'))).toBe(false);
  });
});
