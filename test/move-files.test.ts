import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { upload } from '../src/features/desk/visa-document/uploads.server.ts';
import { storeStaff } from '../src/features/desk/testing/case-store.server.ts';
import { textPdf } from '../src/features/desk/testing/text-pdf.server.ts';
import { knownFiles, stillKnown } from '../src/app/known-files-store.server.ts';
import type { KnownFile } from '../src/platform/files/move-files.server.ts';
import { filesFolder } from '../src/platform/files/open-store.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { makeTestPlatform } from './platform.ts';
import { startS3 } from './s3.ts';

// The command with a database and files of its own.
const root = join(import.meta.dirname, '..');
const platform = await makeTestPlatform();
const s3 = await startS3();
afterAll(() => s3.close());
beforeAll(() => seedAll(platform.db, seeders, platform.now()));
const staff = await storeStaff(platform, { role: 'reviewer' });

const FILES = 5;
const ids: string[] = [];
beforeAll(async () => {
  for (let n = 0; n < FILES; n++) {
    const stored = await upload(platform, staff, textPdf([`Visa number ${n}`]));
    if (stored.ok) ids.push(stored.value.id);
  }
});

async function allKnown(): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  for await (const file of knownFiles(platform.db, platform.sealer)) known.push(file);
  return known;
}

const folder = filesFolder(platform.config.dataDir);
const onDisk = () => readdirSync(folder, { recursive: true }).map(String).filter(isFile);
const isFile = (name: string) => statSync(join(folder, name)).isFile();
const pathOf = (id: string) => join(folder, id.slice(0, 2), id);
/** The service's variables for a bucket of its own. */
const { FILES_URL: address = '', ...account } = s3.variables('beside');

async function move(words: readonly string[], variables: Record<string, string> = account) {
  const child = spawn(process.execPath, ['scripts/start.mjs', 'move-files', ...words], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: '',
      DATA_DIR: platform.config.dataDir,
      DATABASE_URL: platform.url,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: Number(code), output: out + err };
}

test('every file that rows lead to is known, with its size and the hash of its bytes', async () => {
  const known = await allKnown();
  expect(known.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  for (const { id, size, holds } of known) {
    const bytes = (await platform.files.read(id))?.bytes ?? Buffer.of();
    expect([size, holds?.(bytes), holds?.(Buffer.from('another'))]).toEqual([
      bytes.length,
      true,
      false,
    ]);
  }
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await stillKnown(platform.db, [...ids, unknown])).toEqual(new Set(ids));
});

describe.skipIf(!existsSync(join(root, 'build', 'server', 'move-files.js')))(
  'npm run files:move',
  { timeout: 60_000 },
  () => {
    test('says how it is used, and what is wrong with an address', async () => {
      for (const words of [['disk'], ['disk', address, '--all']]) {
        const { code, output } = await move(words);
        expect([code, output]).toEqual([78, expect.stringContaining('usage: npm run files:move')]);
      }
      const wrong = await move(['disk', 's3://F']);
      expect([wrong.code, wrong.output]).toEqual([78, expect.stringContaining('needs a bucket')]);
      const same = await move(['disk', 'disk']);
      expect([same.code, same.output]).toEqual([78, expect.stringContaining('the same')]);
      const away = await move(['disk', 's3://another?endpoint=http://127.0.0.1:9']);
      expect([away.code, away.output]).toEqual([78, expect.stringContaining('cannot list')]);
    });

    test('copies from disk to a bucket beside the service, and a second run finds all there', async () => {
      const first = await move(['disk', address]);
      expect([first.code, first.output]).toEqual([
        0,
        expect.stringContaining(`${FILES} copied, 0 already there`),
      ]);
      const second = await move(['disk', address]);
      expect(second.output).toContain(`0 copied, ${FILES} already there`);
      expect(onDisk()).toHaveLength(FILES);
    });

    test('does not take away what the service itself still uses', async () => {
      const { code, output } = await move(['disk', address, '--remove-source']);
      expect([code, output]).toEqual([78, expect.stringContaining('let FILES_URL name the other')]);
      expect(onDisk()).toHaveLength(FILES);
    });

    test('takes the source away once the service is elsewhere, and moves all back', async () => {
      const bucket = s3.variables('elsewhere');
      const away = await move(['disk', bucket.FILES_URL ?? '', '--remove-source'], bucket);
      expect([away.code, away.output]).toEqual([
        0,
        expect.stringContaining(`${FILES} removed from the source`),
      ]);
      expect(onDisk()).toEqual([]);
      const back = await move([bucket.FILES_URL ?? '', 'disk'], bucket);
      expect([back.code, back.output]).toEqual([0, expect.stringContaining(`${FILES} copied`)]);
      const known = await allKnown();
      for (const { id, holds } of known) {
        expect(holds?.((await platform.files.read(id))?.bytes ?? Buffer.of())).toBe(true);
      }
    });

    test('names what is missing or damaged, and ends with 1', async () => {
      const [lost = '', damaged = ''] = ids;
      const whole = [lost, damaged].map((id) => [pathOf(id), readFileSync(pathOf(id))] as const);
      await platform.files.remove(lost);
      truncateSync(pathOf(damaged), 40);
      const { code, output } = await move(['disk', s3.url('incomplete')]);
      for (const [path, bytes] of whole) writeFileSync(path, bytes);
      expect(code).toBe(1);
      expect(output).toContain(`missing: ${lost}`);
      expect(output).toContain(`damaged: ${damaged}`);
      expect(output).toContain(`${FILES - 2} copied`);
      expect(output).toContain('2 files are not as they should be');
    });
  },
);
