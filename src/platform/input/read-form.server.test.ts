import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_FIELDS, readFormBody } from './read-body.server.ts';

const URL_ENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=----part';

const request = (body: BodyInit, type: string, path = '/insurance') =>
  new Request(`http://lale.example${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });

const fields = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=b`).join('&');
const part = (head: string, content: string) =>
  `------part\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const parts = (...all: string[]) => `${all.join('')}------part--\r\n`;
const file = part('name="photo"; filename="a.jpg"', 'x');

test.each([
  ['as many fields as allowed', fields(MAX_FIELDS), URL_ENCODED, null],
  ['one field more', fields(MAX_FIELDS + 2), URL_ENCODED, 'too_many_fields'],
  ['the same as parts', parts(part('name="a"', 'b').repeat(1000)), MULTIPART, null],
  ['more parts', parts(part('name="a"', 'b').repeat(1001)), MULTIPART, 'too_many_fields'],
  ['text that a file alone may have', `a=${'b'.repeat(70_000)}`, URL_ENCODED, 'too_many_fields'],
  ['the same in a part', parts(part('name="a"', 'b'.repeat(70_000))), MULTIPART, 'too_many_fields'],
  ['a file as large', parts(part('name="a"; filename="a"', 'b'.repeat(70_000))), MULTIPART, null],
  ['a head without an end', parts(part('a\r\n'.repeat(3000), '')), MULTIPART, 'not_a_form'],
  ['no boundary', parts(file), 'multipart/form-data', 'not_a_form'],
])('a form of %s', async (_, body, type, error) => {
  const read = await readFormBody(request(body, type));
  expect(read.ok ? null : read.error).toBe(error);
});

test('a form of parts is read as the platform reads it', async () => {
  const form = new FormData();
  form.append('name', 'Zoë \r\n--x');
  form.append('name', '');
  form.append('a "quoted"\nname', '"');
  form.append(
    'photo',
    new File([Buffer.from([0, 13, 10, 45, 45, 255])], 'é "x".jpg', { type: 'image/jpeg' }),
  );
  form.append('none', new File([], ''));
  const sent = new Request('http://lale.example/insurance', { method: 'POST', body: form });
  const expected = await sent.clone().formData();
  const read = await readFormBody(sent);
  const told = async (one: FormData) =>
    Promise.all(
      [...one].map(async ([name, value]) =>
        typeof value === 'string'
          ? [name, value]
          : [name, value.name, value.type, Buffer.from(await value.arrayBuffer()).toString('hex')],
      ),
    );
  expect(read.ok && (await told(read.value))).toEqual(await told(expected));
});

test('an address that takes no files gets none', async () => {
  const body = parts(part('name="a"', 'b'), file);
  const namesAt = async (path: string) => {
    const read = await readFormBody(request(body, MULTIPART, path));
    return read.ok ? [...read.value.keys()] : [];
  };
  expect(await namesAt('/tr/insurance.data')).toEqual(['a', 'photo']);
  expect(await namesAt('/status')).toEqual(['a']);
});

const MEGABYTES = 27 * 1024 * 1024;
const filled = (unit: string) => Buffer.alloc(MEGABYTES, unit);

test.each([
  ['parts', filled(part('name="a"', 'b')), MULTIPART],
  ['lines of one head', filled('------part\r\na: b\r\na: b\r\na: b\r\n'), MULTIPART],
  ['fields', filled('a=b&'), URL_ENCODED],
  [
    'one file',
    Buffer.from(parts(part('name="a"; filename="a"', 'x'.repeat(MEGABYTES)))),
    MULTIPART,
  ],
])('27 MB of %s take little processor', async (_, body, type) => {
  const processorMs = async (work: () => unknown) => {
    const began = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  const ratios: number[] = [];
  while (ratios.length < 3) {
    const sent = request(body, type);
    // Beside it the hash of the same bytes, which a busy or slow machine takes longer for as well.
    const reference = await processorMs(() => createHash('sha256').update(body).digest());
    ratios.push((await processorMs(() => readFormBody(sent))) / reference);
  }
  // A hash takes a sixtieth of a second on a machine with nothing else to do: a fifth of a second at most.
  expect(Math.min(...ratios)).toBeLessThan(12);
});
