import { once } from 'node:events';
import { Agent, createServer, request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAdmission, type WorkBound } from '../src/platform/admission/admission.server.ts';
import { makeListener } from '../src/platform/admission/listener.server.ts';
import { makeBusyAnswers } from '../src/app/service.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);

const WAIT_MS = 3000;
const bound: WorkBound = { atOnce: 2, waiting: 1 };
const bounds = {
  payment: { atOnce: 8, waiting: 8 },
  file: bound,
  read: bound,
  write: bound,
  upload: bound,
  report: { atOnce: 1, waiting: 1 },
};
let loopDelay = 0;
/** What a request waits for after its turn has come; by default nothing. */
let whenAccepted: (then: () => void) => void = setImmediate;
const admission = makeAdmission({
  whenAccepted: (then) => whenAccepted(then),
  bounds,
  waitMs: WAIT_MS,
  latestMs: 100,
  loopDelayMs: () => loopDelay,
});

/** Work that ends when the test releases it. */
const held: (() => void)[] = [];
const release = () => held.splice(0).forEach((one) => one());
const isHeld = async (n: number) => expect.poll(() => held.length).toBe(n);

const server = createServer(
  makeListener({
    admission,
    isSimulated: true,
    busyAnswer: await makeBusyAnswers(platform),
    async fetch(asked, env) {
      if (!new URL(asked.url).pathname.startsWith('/hold')) return app.fetch(asked, env);
      const body = asked.method === 'POST' ? await asked.text() : '';
      await new Promise<void>((resolve) => held.push(resolve));
      return new Response(`held ${body}`);
    },
  }),
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
afterAll(() => {
  release();
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  loopDelay = 0;
  // What the test before has left.
  await expect
    .poll(() => {
      release();
      return present();
    })
    .toBe(0);
});

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
type Asking = { method?: string; headers?: Record<string, string>; body?: string };

function ask(path: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method, headers }, (response) => {
      text(response).then(
        (content) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: content }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const html = (language: string) => ({ accept: 'text/html', 'accept-language': language });

const present = () => Object.values(admission.present()).reduce((sum, one) => sum + one);

/** Takes every place, and the waiting place. */
async function fill(asking: Asking = {}) {
  const [before, there] = [held.length, present()];
  const begun = [ask('/hold', asking), ask('/hold', asking)];
  await isHeld(before + 2);
  const waiting = ask('/hold', asking);
  await expect.poll(present).toBe(there + 3);
  return { begun, waiting };
}

describe('more than can be worked on', () => {
  it.each([
    ['en', 'ltr', 'Lale is very busy right now', '/application'],
    ['de', 'ltr', 'Lale ist gerade stark ausgelastet', '/application'],
    ['ar', 'rtl', 'عدد الزوار كبير جدًا الآن', '/ar/status?ref=x'],
  ])('is refused to a person by a page in %s', async (language, direction, title, path) => {
    const { begun, waiting } = await fill();
    const answer = await ask(path, { headers: html(language) });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.headers['content-language']).toBe(language);
    // It tries again by itself; a form is never sent again unasked.
    expect(Number(answer.headers.refresh)).toBeGreaterThanOrEqual(5);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.text).toContain(`lang="${language}" dir="${direction}"`);
    expect(answer.text).toContain(`<h1>${title}</h1>`);
    release();
    await isHeld(1);
    release();
    const all = await Promise.all([...begun, waiting]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('is refused to a form by a page that does not send it again by itself', async () => {
    const { begun, waiting } = await fill({ method: 'POST', body: 'x' });
    const answer = await ask('/application', { method: 'POST', body: 'y', headers: html('en') });
    expect([answer.status, answer.headers.refresh]).toEqual([503, undefined]);
    release();
    await isHeld(1);
    release();
    await Promise.all([...begun, waiting]);
  });

  it('is refused to a program by a problem, a body unread', async () => {
    await fill({ method: 'POST', body: 'x' });
    const answer = await ask('/api/applications', { method: 'POST', body: 'y'.repeat(60_000) });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(answer.text)).toMatchObject({ status: 503, code: 'busy' });
    expect(admission.refused().write).toBeGreaterThan(0);
    // Other kinds of work are not affected.
    expect((await ask('/api/countries')).status).toBe(200);
  });

  it('leaves health checks, payment partners and returning payers alone', async () => {
    await fill();
    await fill({ method: 'POST', body: 'x' });
    loopDelay = 5000;
    expect((await ask('/healthz')).text).toBe('ok');
    expect((await ask('/readyz')).text).toBe('ready');
    const refused = await ask('/api/payment/notification/card', {
      method: 'POST',
      body: 'payload=x',
    });
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'not_verified' });
    const back = await ask('/api/payment/return/card?payload=x', { headers: html('en') });
    expect([back.status, back.headers.location]).toEqual([303, '/payment-cancel?status=error']);
  });

  it('waits a while for a place, and not longer', async () => {
    const began = performance.now();
    const { waiting } = await fill();
    expect((await waiting).status).toBe(503);
    expect(performance.now() - began).toBeGreaterThan(WAIT_MS - 50);
  });

  it('does not wait while the event loop is late, but begins where there is a place', async () => {
    loopDelay = 5000;
    const begun = [ask('/hold'), ask('/hold')];
    await isHeld(2);
    expect((await ask('/hold')).status).toBe(503);
    release();
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('is over when the work is', async () => {
    await fill();
    expect((await ask('/en', { headers: html('en') })).status).toBe(503);
    release();
    await expect
      .poll(async () => (await ask('/api/countries')).status, { timeout: 20_000 })
      .toBe(200);
  });

  it('keeps no place for a client that has gone', async () => {
    await fill();
    const gone = connect(port, '127.0.0.1');
    gone.write('GET /hold HTTP/1.1\r\nhost: x\r\n\r\n');
    gone.destroy();
    release();
    await expect.poll(() => admission.present().read, { timeout: 5000 }).toBeLessThanOrEqual(1);
    release();
  });

  it('keeps no place for a client that goes between its turn and its beginning', async () => {
    const begun = [ask('/hold'), ask('/hold')];
    await isHeld(2);
    const gone = connect(port, '127.0.0.1');
    gone.write('GET /hold HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => admission.present().read).toBe(3);
    const turns: (() => void)[] = [];
    whenAccepted = (then) => turns.push(then);
    const connections = () =>
      new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n)));
    release();
    await Promise.all(begun);
    await expect.poll(() => turns.length).toBe(1);
    const before = await connections();
    gone.destroy();
    await expect.poll(connections).toBe(before - 1);
    whenAccepted = setImmediate;
    turns[0]?.();
    expect(admission.present().read).toBe(0);
  });

  it('keeps no place for clients that go as soon as they have sent', async () => {
    for (let n = 0; n < 40; n++) {
      const gone = connect(port, '127.0.0.1');
      gone.end('POST /api/applications HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}');
      gone.once('connect', () => setTimeout(() => gone.destroy(), n % 4));
      await once(gone, 'close');
    }
    await expect.poll(present, { timeout: 20_000 }).toBe(0);
  });

  it('keeps no place for a body that comes slowly', async () => {
    const slow = connect(port, '127.0.0.1');
    slow.write('POST /hold HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\na');
    await expect.poll(async () => (await ask('/healthz')).status).toBe(200);
    expect(admission.present().write).toBe(0);
    slow.write('bc');
    await isHeld(1);
    const answered = once(slow, 'data');
    release();
    expect(String((await answered)[0])).toContain('held abc');
    slow.destroy();
  });
});

describe('a body that nobody reads', () => {
  it.each([
    ['unknown address', '/nowhere', 200_000],
    ['unknown call', '/api/nowhere', 200_000],
    ['page without a form', '/en/faq', 200_000],
    ['small body', '/api/nowhere', 20_000],
    ['body of unsaid length', '/nowhere', -300_000],
  ])('does not cut the requests after it: %s', { timeout: 30_000 }, async (_, path, size) => {
    const bytes = Math.abs(size);
    const rounds = Array.from({ length: 10 }, () => {
      const one = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = (asked: string, method: string, body?: string) =>
        new Promise<number>((resolve, reject) => {
          const headers = body && size > 0 ? { 'content-length': bytes } : {};
          const options = { agent: one, host: '127.0.0.1', port, path: asked, method, headers };
          const sent = request(options, (response) => {
            response.resume().once('end', () => resolve(response.statusCode ?? 0));
          });
          sent.once('error', reject);
          // In parts: without a declared length it is sent in chunks.
          if (body) sent.write(body.slice(0, bytes / 2));
          sent.end(body?.slice(bytes / 2));
        });
      return { one, send };
    });
    for (const { send } of rounds) {
      expect(await send(path, 'POST', 'x'.repeat(bytes))).toBeGreaterThanOrEqual(400);
    }
    // After the moment at which the adapter cuts the connection.
    for (const pause of [0, 300, 300, 50]) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const after = await Promise.all(rounds.map(({ send }) => send('/healthz', 'GET')));
      expect(after).toEqual(rounds.map(() => 200));
    }
    for (const { one } of rounds) one.destroy();
  });
});
