import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { photosByOwner } from '../src/features/insurance/store/photo-store.server.ts';
import { insurancePhoto } from '../src/features/insurance/store/tables.server.ts';
import { dataUrl, jpeg, minorCall } from '../src/features/insurance/testing/api-calls.ts';
import { adultForm, formRequest } from '../src/features/insurance/testing/visit.ts';
import { application } from '../src/features/application/tables.server.ts';
import { deskUpload } from '../src/features/desk/application/tables.server.ts';
import { storeStaff, textPdf } from '../src/features/desk/application/testing/case-store.server.ts';
import { deleteUnusedUploads, upload } from '../src/features/desk/application/uploads.server.ts';
import { openFileStore } from '../src/platform/files/open-store.server.ts';
import { readConfig } from '../src/platform/config/config.server.ts';
import { openPlatform } from '../src/platform/platform.server.ts';
import { fileJobs } from '../src/platform/files/files.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { startFaultyProxy, startS3 } from './s3.ts';

// The service with its files in a bucket: what is stored there, and what visitors see during an outage of the store.
const s3 = await startS3();
const proxy = await startFaultyProxy(s3.endpoint);
const platform = await makeTestPlatform({
  variables: {
    ...s3.variables(),
    FILES_URL: `s3://${s3.bucket}/files?endpoint=${proxy.endpoint}`,
    FILES_TIMEOUT_MS: '2000',
  },
});
const app = makeTestApp(platform);
beforeAll(async () => {
  await platform.files.check();
  await seedAll(platform.db, seeders, platform.now());
});
afterAll(async () => {
  platform.files.close();
  await proxy.close();
  await s3.close();
});

const goAway = () =>
  proxy.spoilBy((_, answer) => {
    answer.destroy();
    return true;
  });
beforeEach(() => proxy.spoilBy(() => false));

const rows = (table: typeof application | typeof insurancePhoto) => platform.db.$count(table);

async function storedIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of openFileStore(platform.config).list()) ids.push(id);
  return ids;
}

const born2012 = { 'dateOfBirth-year': '2012' };

async function call(changes: Partial<typeof minorCall> = {}) {
  const parentIdPhotos = [{ name: 'mother.jpg', data: dataUrl(await jpeg('#123')) }];
  return app.request('/api/insurance/applications', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...minorCall, ...changes, parentIdPhotos }),
  });
}

async function sendForm(shade: string) {
  const photo = new File([await jpeg(shade)], 'mother.jpg', { type: 'image/jpeg' });
  const { body } = formRequest({ ...adultForm, ...born2012, phone: '' }, [photo]);
  return app.request('/insurance', { method: 'POST', headers: { accept: 'text/html' }, body });
}

describe('with files in a bucket', () => {
  it('a photo is kept there, sealed, and comes back', async () => {
    const before = await storedIds();
    const answer = await call();
    expect(answer.status).toBe(201);
    const { id }: { id: string } = await answer.json();
    const [photo] = await photosByOwner(platform.db, platform.sealer, { applicationId: id });
    expect((await storedIds()).filter((one) => !before.includes(one))).toEqual([photo?.fileId]);
    const kept = await openFileStore(platform.config).read(photo?.fileId ?? '');
    expect(kept?.subarray(0, 3)).not.toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    const file = await platform.files.read(photo?.fileId ?? '');
    expect(await sharp(file?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 40 });
  });
});

describe('a start', () => {
  const start = (variables: Record<string, string>) =>
    openPlatform(
      readConfig({
        DATA_DIR: platform.config.dataDir,
        DATABASE_URL: platform.url,
        LOG_LEVEL: 'silent',
        ...s3.variables(),
        ...variables,
      }),
    );

  it('goes on with a bucket that it can use', async () => {
    const opened = await start({});
    expect(opened.config.s3?.bucket).toBe(s3.bucket);
    await opened.close();
  });

  it.each([
    ['a wrong secret', { AWS_SECRET_ACCESS_KEY: 'guessed' }, 'AWS_SECRET_ACCESS_KEY is wrong'],
    [
      'another bucket',
      { FILES_URL: `s3://another?endpoint=${s3.endpoint}` },
      'there is no such bucket',
    ],
  ])('with %s ends with 78 and says why', async (_, variables, why) => {
    await expect(start(variables)).rejects.toMatchObject({
      exitCode: 78,
      mistakes: [expect.stringMatching(`^FILES_URL: .*${why}`)],
    });
  });

  it('without a bucket never loads the client, nor with one before its first use', async () => {
    const script = `
      import module from 'node:module';
      const { openFileStore } = await import('./src/platform/files/open-store.server.ts');
      const { readConfig } = await import('./src/platform/config/config.server.ts');
      const loaded = () => Object.keys(module._cache).some((path) => path.includes('@aws-sdk'));
      const dataDir = process.env.DATA_DIR;
      await openFileStore({ dataDir }).check();
      const store = openFileStore(readConfig(process.env));
      const before = loaded();
      await store.check();
      console.log(before, loaded());`;
    const child = spawn(
      process.execPath,
      ['--import', './test/crash/alias.ts', '--input-type=module', '--eval', script],
      {
        cwd: join(import.meta.dirname, '..'),
        env: { ...process.env, DATA_DIR: platform.config.dataDir, ...s3.variables() },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(stdout).toBe('false true\n');
  });
});

describe('while the bucket is away', () => {
  it('a call that needs it is answered 503 with a code, and nothing is stored', async () => {
    const before = [await rows(application), await rows(insurancePhoto)];
    goAway();
    const answer = await call();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ code: 'busy' });
    expect([await rows(application), await rows(insurancePhoto)]).toEqual(before);
  });

  it('a form that needs it is answered 503 with the page for that, and nothing is stored', async () => {
    const before = await rows(insurancePhoto);
    goAway();
    const answer = await sendForm('#456');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.text()).toContain('<h1>');
    expect(await rows(insurancePhoto)).toBe(before);
  });

  it('everything else goes on', async () => {
    goAway();
    const statuses = ['/readyz', '/insurance', '/application', '/api/countries'].map(
      async (path) => (await app.request(path, { headers: { accept: 'text/html' } })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
  });

  it('what retention takes goes all the same, and its file as soon as the bucket is back', async () => {
    const staff = await storeStaff(platform, { role: 'reviewer' });
    const stored = await upload(platform, staff, textPdf(['Never used']));
    const id = stored.ok ? stored.value.id : '';
    expect(await storedIds()).toContain(id);
    platform.clock.advance(25 * 3600_000);
    goAway();
    await deleteUnusedUploads(platform);
    expect(await platform.db.$count(deskUpload)).toBe(0);
    await platform.runJobs(fileJobs(platform));
    proxy.spoilBy(() => false);
    expect(await storedIds()).toContain(id);
    // The queue would wait a few seconds before it retries.
    await platform.pool.query(
      `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where last_error is not null), run_at => now())`,
    );
    await platform.runJobs(fileJobs(platform));
    expect(await storedIds()).not.toContain(id);
  });

  it('a photo of a refused call goes as soon as the bucket is back', async () => {
    const before = await storedIds();
    proxy.spoilBy((request, answer) => {
      if (request.method !== 'DELETE') return false;
      answer.destroy();
      return true;
    });
    expect((await call({ totalAmount: '1.00' })).status).toBe(409);
    proxy.spoilBy(() => false);
    expect((await storedIds()).length).toBe(before.length + 1);
    await platform.runJobs(fileJobs(platform));
    expect(await storedIds()).toEqual(before);
  });

  it('is over once it is back', async () => {
    goAway();
    expect((await sendForm('#789')).status).toBe(503);
    proxy.spoilBy(() => false);
    // The form has a mistake, a missing phone number. Its photo is stored.
    const answer = await sendForm('#789');
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('mother.jpg');
  });
});
