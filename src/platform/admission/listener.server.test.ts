import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { SMALL_BODY_BYTES } from '../input/body-limit.ts';
import { readBytes } from '../input/read-bytes.server.ts';
import { makeAdmission, workBounds } from './admission.server.ts';
import { makeListener } from './listener.server.ts';

const LARGE = 2 * 1024 * 1024;
const path = '/api/orders';

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Bodies as the handler has them. */
const received: unknown[] = [];
const server = createServer(
  makeListener({
    async fetch(asked, { incoming }) {
      received.push(Reflect.get(incoming, 'rawBody'));
      if (asked.url.endsWith('?hash')) {
        const read = await readBytes(asked);
        return new Response(read.ok ? hashOf(read.value) : null);
      }
      const text = await asked.text();
      // Whoever works on it longer still has all of it.
      await new Promise((resolve) => setImmediate(resolve));
      return new Response(`${text.length} ${(Reflect.get(incoming, 'rawBody') as Buffer).length}`);
    },
    admission: makeAdmission({
      bounds: workBounds({ atOnce: 2, readsAtOnce: 2, waiting: 2 }),
      waitMs: 1000,
      latestMs: 1000,
      loopDelayMs: () => 0,
    }),
    busyAnswer: () => ({ status: 503, headers: {}, body: Buffer.alloc(0) }),
    isSimulated: false,
  }),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = (body: Buffer) =>
  new Promise<string>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST' }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.once('end', () => resolve(text));
    });
    sent.setHeader('content-length', body.length);
    sent.once('error', reject);
    sent.end(body);
  });

test('a large body is whole while it is worked on, and gives its memory back with the answer', async () => {
  expect(await send(Buffer.alloc(LARGE, 'x'))).toBe(`${LARGE} ${LARGE}`);
  expect(received.pop()).toHaveLength(0);
});

test('a large body of a length that was not said is whole too', async () => {
  const body = randomBytes(LARGE);
  const sent = request({ port, host: '127.0.0.1', path: '/api/orders?hash', method: 'POST' });
  for (let at = 0; at < LARGE; at += 50_000) sent.write(body.subarray(at, at + 50_000));
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const [hash] = (await once(answer.setEncoding('utf8'), 'data')) as [string];
  expect(hash).toBe(hashOf(body));
  expect(received.pop()).toHaveLength(0);
});

test('a small one is left alone', async () => {
  expect(await send(Buffer.alloc(SMALL_BODY_BYTES, 'x'))).toBe(
    `${SMALL_BODY_BYTES} ${SMALL_BODY_BYTES}`,
  );
  expect(received.pop()).toHaveLength(SMALL_BODY_BYTES);
});

test('one whose sender leaves in the middle gives back what had come', async () => {
  const made: ArrayBuffer[] = [];
  const whole = globalThis.ArrayBuffer;
  globalThis.ArrayBuffer = class extends whole {
    constructor(length = 0, options?: { maxByteLength?: number }) {
      super(length, options);
      if (options?.maxByteLength === LARGE) made.push(this);
    }
  };
  try {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${LARGE}\r\n\r\n`);
    socket.write(Buffer.alloc(LARGE / 2, 'x'));
    await expect.poll(() => made[0]?.byteLength).toBeGreaterThanOrEqual(LARGE / 2);
    expect(made).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => made[0]?.detached).toBe(true);
  } finally {
    globalThis.ArrayBuffer = whole;
  }
  expect(received).toEqual([]);
});
