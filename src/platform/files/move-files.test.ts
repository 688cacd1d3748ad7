import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { s3Account, startS3, type TestS3 } from '../../../test/s3.ts';
import { makeSealer } from '../crypto/crypto.server.ts';
import { FilesUnavailable, type FileStore } from './file-store.server.ts';
import { sealedFiles } from './files.server.ts';
import { folderStore } from './open-store.server.ts';
import { moveFiles, moveReportLines, type KnownFile } from './move-files.server.ts';
import { readS3Address } from '../config/s3-address.server.ts';
import { s3Store } from './s3-store.server.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-move-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let s3: TestS3;
beforeAll(async () => void (s3 = await startS3()));
afterAll(() => s3.close());

const sealer = makeSealer({
  data: [{ id: 'a', key: new Uint8Array(32) }],
  lookup: new Uint8Array(32),
});
const pdf = { mediaType: 'application/pdf' };

const disk = (part: string): FileStore => folderStore(join(folder, part));
const bucket = (part: string): FileStore =>
  s3Store({
    ...readS3Address(s3.url(part)),
    region: 'us-east-1',
    credentials: s3Account,
    timeoutMs: 10_000,
  });

async function* each(known: readonly KnownFile[]) {
  yield* known;
}

/** Two empty places, and what is put into the first. */
function places(from: FileStore, to: FileStore) {
  const put = async (text: string): Promise<KnownFile> => {
    const { id, size } = await sealedFiles(from, sealer).put(Buffer.from(text), pdf);
    return { id, size, holds: (bytes) => bytes.toString() === text };
  };
  const move = (known: readonly KnownFile[], options: { removeSource?: boolean } = {}) =>
    moveFiles({ from, to, sealer, known: each(known), removeSource: false, ...options });
  const textIn = async (store: FileStore, { id }: KnownFile) =>
    (await sealedFiles(store, sealer).read(id))?.bytes.toString();
  return { from, to, put, move, textIn };
}

const both: [name: string, from: typeof disk, to: typeof disk][] = [
  ['from disk to a bucket', disk, bucket],
  ['from a bucket to disk', bucket, disk],
];

describe.each(both)('moving files %s', (name, fromKind, toKind) => {
  const fresh = (part: string) => {
    const base = `${name.replaceAll(' ', '-')}/${part}`;
    return places(fromKind(`${base}/from`), toKind(`${base}/to`));
  };

  test('copies each, checks it, and leaves the source as it was', async () => {
    const { from, to, put, move, textIn } = fresh('plain');
    const known = await Promise.all(Array.from({ length: 25 }, (_, n) => put(`file ${n}`)));
    const report = await move(known);
    expect(report).toEqual({
      copied: 25,
      alreadyThere: 0,
      unreferenced: 0,
      removed: 0,
      findings: [],
    });
    for (const [n, file] of known.entries()) {
      expect(await textIn(to, file)).toBe(`file ${n}`);
      expect(await textIn(from, file)).toBe(`file ${n}`);
    }
    expect(moveReportLines(report).at(-1)).toBe('Nothing is missing and nothing differs.');
  });

  test('a second run writes nothing and checks all', async () => {
    const { put, move } = fresh('again');
    const known = [await put('a'), await put('b')];
    await move(known);
    expect(await move(known)).toMatchObject({ copied: 0, alreadyThere: 2, findings: [] });
  });

  test('what is stored meanwhile, and what no row leads to, comes along', async () => {
    const { to, put, move, textIn } = fresh('meanwhile');
    const known = [await put('a')];
    const later = await put('b');
    expect(await move(known)).toMatchObject({ copied: 2, unreferenced: 1, findings: [] });
    expect(await textIn(to, later)).toBe('b');
  });

  test('a row without a file is found, unless the target has it', async () => {
    const { from, put, move } = fresh('missing');
    const [kept, lost] = [await put('kept'), await put('lost')];
    await move([kept]);
    await from.remove(kept.id);
    await from.remove(lost.id);
    const { findings } = await move([kept]);
    expect(findings).toEqual([]);
    const third = { ...lost, id: '00000000-0000-4000-8000-000000000000' };
    expect((await move([kept, third])).findings).toEqual([{ id: third.id, kind: 'missing' }]);
  });

  test('a file that does not open, or is not the one of its row, is named and not copied', async () => {
    const { from, to, put, move } = fresh('wrong');
    const [damaged, exchanged, size, hash] = [
      await put('damaged'),
      await put('exchanged'),
      await put('size'),
      await put('hash'),
    ];
    const sealed = (await from.read(damaged.id)) ?? Buffer.of();
    await from.write(exchanged.id, sealed);
    await from.write(damaged.id, sealed.subarray(0, -1));
    const known = [
      damaged,
      exchanged,
      { ...size, size: size.size + 1 },
      { ...hash, holds: () => false },
    ];
    const report = await move(known, { removeSource: true });
    expect(report.findings.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      [
        { id: damaged.id, kind: 'damaged' },
        { id: exchanged.id, kind: 'damaged' },
        { id: size.id, kind: 'differs' },
        { id: hash.id, kind: 'differs' },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (const { id } of known) {
      expect(await to.read(id)).toBeUndefined();
      expect(await from.read(id)).toBeDefined();
    }
    expect(moveReportLines(report).join('\n')).toContain(`differs: ${size.id}`);
  });

  test('a damaged copy in the target is written again', async () => {
    const { from, to, put, move, textIn } = fresh('repaired');
    const file = await put('whole');
    await to.write(file.id, ((await from.read(file.id)) ?? Buffer.of()).subarray(0, -3));
    expect(await move([file])).toMatchObject({ copied: 1, findings: [] });
    expect(await textIn(to, file)).toBe('whole');
  });

  test('takes out of the source only when asked to, and only what was found whole in the target', async () => {
    const { from, to, put, move, textIn } = fresh('removed');
    const [first, second] = [await put('first'), await put('second')];
    await move([first]);
    expect(await move([first, second], { removeSource: true })).toMatchObject({ removed: 2 });
    expect(await from.read(first.id)).toBeUndefined();
    expect(await textIn(to, second)).toBe('second');
  });

  test('a target that lies about what it stored keeps the source', async () => {
    const { from, to, put } = fresh('liar');
    const file = await put('whole');
    const liar = { ...to, write: (id: string, bytes: Uint8Array) => to.write(id, bytes.slice(1)) };
    const lied = places(from, liar);
    const report = await lied.move([file], { removeSource: true });
    expect(report).toMatchObject({ removed: 0, findings: [{ id: file.id, kind: 'damaged' }] });
    expect(await from.read(file.id)).toBeDefined();
  });

  test('goes on where it was interrupted', async () => {
    const { from, to, put, textIn } = fresh('resumed');
    const known = await Promise.all(Array.from({ length: 40 }, (_, n) => put(`file ${n}`)));
    let written = 0;
    const failing: FileStore = {
      ...to,
      write: (id, bytes) =>
        ++written > 20 ? Promise.reject(new FilesUnavailable('away')) : to.write(id, bytes),
    };
    await expect(places(from, failing).move(known)).rejects.toThrow(FilesUnavailable);
    const { copied, alreadyThere, findings } = await places(from, to).move(known);
    expect([copied + alreadyThere, findings]).toEqual([40, []]);
    expect(alreadyThere).toBeGreaterThan(0);
    for (const [n, file] of known.entries()) expect(await textIn(to, file)).toBe(`file ${n}`);
  });
});
