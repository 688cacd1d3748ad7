import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../src/platform/config/root.server.ts';

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
    `${READERS}read-json.server.ts`,
  ]);
});
