import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePayments } from '../src/app/composition/payments.server.ts';
import { projectRoot } from '../src/platform/config/root.server.ts';
import { SMALL_BODY_BYTES } from '../src/platform/input/body-limit.ts';
import { fileRoutes } from '../src/platform/input/limit-body.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { callsOf, dataAddress, fillAddress, pageAddresses } from './routes-and-calls.ts';

const platform = await makeTestPlatform();
const payments = makePayments(platform);
const app = makeTestApp(platform, payments);
const pages = pageAddresses();
const calls = callsOf(platform, payments).filter(({ method }) => method !== 'GET');

/** Calls that read a request's body: without protection, an unreadable one would be answered as our failure. */
const READS =
  /\.formData\(|\.parseBody\(|\breq(uest)?(\.raw)?(\.clone\(\))?\.(json|text|arrayBuffer|blob|bytes|body)\b/;

const READERS = 'src/platform/input/';

test('only the readers of `platform/input` take a request’s body', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: projectRoot });
  const reading = files
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .filter((file) => READS.test(readFileSync(join(projectRoot, file), 'utf8')));
  expect(reading.filter((file) => !file.startsWith(READERS))).toEqual([]);
  expect(reading.toSorted()).toEqual([
    `${READERS}read-bytes.server.ts`,
    `${READERS}read-form.server.ts`,
  ]);
});

test('each address that takes files is a page or a call', () => {
  const served = [...pages, ...calls.map(({ path }) => path)];
  expect(Object.keys(fileRoutes).filter((path) => !served.includes(path))).toEqual([]);
});

test('every other address refuses what is longer than text is', async () => {
  const posts = [...pages, ...pages.map(dataAddress)].map((path) => ({ method: 'POST', path }));
  const taking: string[] = [];
  for (const { method, path } of [...posts, ...calls]) {
    const { status } = await app.request(fillAddress(path, {}), {
      method,
      headers: { 'content-length': String(SMALL_BODY_BYTES + 1), cookie: 'lale_staff=x' },
    });
    if (status !== 413) taking.push(path.replace(/\.data$/, ''));
  }
  expect([...new Set(taking)].toSorted()).toEqual(Object.keys(fileRoutes).toSorted());
});
