import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeSealer, UnsealError } from './crypto.server.ts';
import { filesInFolder } from './files.server.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sealer = makeSealer({
  data: [{ id: 'a', key: new Uint8Array(32) }],
  lookup: new Uint8Array(32),
});
const files = filesInFolder(folder, sealer);
const pdf = { mediaType: 'application/pdf' };
const stored = (id: string) => join(folder, id.slice(0, 2), id);

test('a file comes back with its type, and its size and hash are of what was given', async () => {
  const kept = await files.put(Buffer.from('hello'), pdf);
  expect(kept).toMatchObject({
    size: 5,
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  });
  expect(await files.read(kept.id)).toEqual({ bytes: Buffer.from('hello'), ...pdf });
});

test('the folder shows nothing of it, and no half-written file', async () => {
  const { id } = await files.put(Buffer.from('secret visa'), pdf);
  expect(readFileSync(stored(id)).includes('secret')).toBe(false);
  expect(readdirSync(folder, { recursive: true }).filter((name) => name.includes('.part'))).toEqual(
    [],
  );
});

test('a file put in the place of another is noticed', async () => {
  const a = await files.put(Buffer.from('a'), pdf);
  const b = await files.put(Buffer.from('b'), pdf);
  writeFileSync(stored(a.id), readFileSync(stored(b.id)));
  await expect(files.read(a.id)).rejects.toThrow(UnsealError);
});

test('what was removed is gone; removing it again is no error', async () => {
  const { id } = await files.put(Buffer.from('x'), pdf);
  await files.remove(id);
  await files.remove(id);
  expect(await files.read(id)).toBeUndefined();
});

test('an id cannot lead out of the folder', async () => {
  writeFileSync(join(folder, 'outside'), 'x');
  for (const id of ['outside', '../outside', 'ou/../outside', '']) {
    expect(await files.read(id)).toBeUndefined();
    await files.remove(id);
  }
  expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('x');
});
