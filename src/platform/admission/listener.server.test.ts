import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, IncomingMessage } from 'node:http';
import { connect, type AddressInfo, Socket } from 'node:net';
import { afterAll, expect, test, it, describe } from 'vitest';
import { SMALL_BODY_BYTES } from '../input/body-limit.ts';
import { readBytes } from '../input/read-body.server.ts';
import { makeAdmission, workBounds, acceptFirst } from './admission.server.ts';
import { makeListener, requestWork, makeExchanges } from './listener.server.ts';

describe('listener', async () => {
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
        return new Response(
          `${text.length} ${(Reflect.get(incoming, 'rawBody') as Buffer).length}`,
        );
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

  function asked(
    method: string,
    url: string,
    headers: Record<string, string> = {},
    isSimulated = true,
  ) {
    const incoming = new IncomingMessage(new Socket());
    return requestWork(Object.assign(incoming, { method, url, headers }), { isSimulated });
  }

  test.each([
    ['GET', '/application', 'read'],
    ['HEAD', '/application', 'read'],
    ['OPTIONS', '/application', 'read'],
    ['GET', '/assets/a.js', 'file'],
    ['POST', '/assets/a.js', 'write'],
    ['POST', '/api/payment/notification/card', 'payment'],
    ['POST', '/api/applications', 'write'],
    ['POST', '/csp-reports', 'report'],
    ['GET', '/healthz', null],
  ])('%s %s is %s', (method, url, work) => {
    expect(asked(method, url)).toBe(work);
  });

  test.each([
    '/application?/api/payment/notification/card',
    '/application/api/payment/return/card',
    '//healthz',
    '/healthz/',
    '/HEALTHZ',
    '/application#/healthz',
    'http://lale.example/healthz',
  ])('nobody gets ahead by an address like %s', (url) => {
    expect(asked('GET', url)).toBe('read');
  });

  test.each([
    ['/api/orders', { 'content-length': '65536' }, 'write'],
    ['/api/orders', { 'content-length': '65537' }, 'upload'],
    // Known once it has arrived.
    ['/api/orders', { 'transfer-encoding': 'chunked' }, 'write'],
    ['/insurance', { 'content-length': '65537' }, 'upload'],
    ['/ar/insurance.data?index', { 'content-length': '65537' }, 'upload'],
    // Refused, which is little work.
    ['/api/orders', { 'content-length': '1e9' }, 'write'],
    ['/api/orders', { 'content-length': 'none' }, 'write'],
    ['/api/applications', { 'content-length': '65537' }, 'write'],
    ['/admin/pdfs', { 'content-length': '65537' }, 'write'],
    ['/admin/pdfs', { 'content-length': '65537', cookie: 'a=b; lale_staff=x' }, 'upload'],
    ['/admin/pdfs', { 'content-length': '65537', cookie: '__Host-lale_staff=x' }, 'upload'],
    ['/api/payment/return/card', { 'content-length': '65537' }, 'payment'],
  ])('POST %s with %j is %s', (url, headers, work) => {
    expect(asked('POST', url, headers)).toBe(work);
  });

  test('the simulated partners come first only where they are', () => {
    for (const path of ['/lab/gateway/v1/checkout', '/lab/paypal/x']) {
      expect(asked('GET', path)).toBe('payment');
      expect(asked('GET', path, {}, false)).toBe('read');
      expect(asked('POST', path, {}, false)).toBe('write');
    }
  });

  test('a report of any size takes no place of a traveller', () => {
    expect(asked('POST', '/csp-reports', { 'transfer-encoding': 'chunked' })).toBe('report');
    expect(asked('POST', '/csp-reports?a=b', { 'content-length': '9000000' })).toBe('report');
  });

  /** Resolves once `connections` came, one in each turn of the loop, and no more: with how many had come by then. */
  async function goesOnAfter(connections: number): Promise<number> {
    const { onConnection, whenAccepted } = acceptFirst();
    let came = 0;
    const accept = () => {
      if (came === connections) return;
      came++;
      onConnection();
      setImmediate(accept);
    };
    setImmediate(accept);
    await new Promise<void>((resolve) => whenAccepted(resolve));
    return came;
  }

  it('goes on when no connection waits', async () => {
    expect(await goesOnAfter(0)).toBe(0);
  });

  it('accepts those that wait first', async () => {
    expect(await goesOnAfter(20)).toBe(20);
  });

  it('goes on in the end, however many come', async () => {
    const came = await goesOnAfter(10_000);
    expect(came).toBeGreaterThan(50);
    expect(came).toBeLessThan(80);
  });
});

const bounds = {
  byAddress: 10,
  uploadsByAddress: 6,
  bytesByAddress: 100,
  bytes: 100,
  uploadMs: 1000,
};

test('beside an upload that is worked on there is room for as much less of others', () => {
  const exchanges = makeExchanges(bounds);
  const cut: string[] = [];
  const begin = (name: string) => exchanges.begin(`127.0.0.${name}`, () => cut.push(name));
  const [first, second] = [begin('1'), begin('2')];
  first.becomeUpload();
  first.hold(40);
  second.becomeUpload();
  second.hold(30);
  expect(cut).toEqual([]);

  first.keep();
  expect(cut).toEqual(['2']);
  expect(exchanges.present()).toEqual({ count: 1, bytes: 40 });

  first.end();
  const third = begin('3');
  third.becomeUpload();
  third.hold(100);
  third.keep();
  expect(cut).toEqual(['2']);
});

test('a small body is not cut by uploads that are worked on, behind their own address either', () => {
  const exchanges = makeExchanges(bounds);
  const cut: string[] = [];
  for (const name of ['1', '2']) {
    const upload = exchanges.begin(`127.0.0.${name}`, () => cut.push(name));
    upload.becomeUpload();
    upload.hold(25);
    upload.keep();
  }
  for (const name of ['1', '2', '3']) {
    exchanges.begin(`127.0.0.${name}`, () => cut.push(`form of ${name}`)).hold(3);
  }
  expect(cut).toEqual([]);
});
