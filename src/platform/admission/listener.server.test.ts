import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { SMALL_BODY_BYTES } from '../input/body-limit.ts';
import { makeAdmission, workBounds } from './admission.server.ts';
import { makeListener } from './listener.server.ts';

const LARGE = 2 * 1024 * 1024;
const path = '/api/orders';

/** Bodies as the handler has them. */
const received: unknown[] = [];
const server = createServer(
  makeListener({
    async fetch(asked, { incoming }) {
      received.push(Reflect.get(incoming, 'rawBody'));
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

test('a small one is left alone', async () => {
  expect(await send(Buffer.alloc(SMALL_BODY_BYTES, 'x'))).toBe(
    `${SMALL_BODY_BYTES} ${SMALL_BODY_BYTES}`,
  );
  expect(received.pop()).toHaveLength(SMALL_BODY_BYTES);
});

test('one whose sender leaves in the middle gives back what had come', async () => {
  const allocate = Buffer.allocUnsafeSlow;
  const made: Buffer[] = [];
  Buffer.allocUnsafeSlow = (size) => {
    const buffer = allocate(size);
    made.push(buffer);
    return buffer;
  };
  try {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${LARGE}\r\n\r\n`);
    socket.write(Buffer.alloc(LARGE / 2, 'x'));
    await expect.poll(() => made.length).toBe(1);
    expect(made[0]).toHaveLength(LARGE);
    socket.destroy();
    await expect.poll(() => made[0]?.length).toBe(0);
  } finally {
    Buffer.allocUnsafeSlow = allocate;
  }
  expect(received).toEqual([]);
});
