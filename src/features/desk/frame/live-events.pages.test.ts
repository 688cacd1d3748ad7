import { once } from 'node:events';
import { createServer, get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { changeAccount, endSessions } from '~/features/staff/store.server.ts';
import { makeAdmission, workBounds } from '~/platform/admission/admission.server.ts';
import { makeListener } from '~/platform/admission/listener.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import { answerUntilDrained } from '~/platform/processes/process.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { listenAsProcess, startSecondProcess } from '../../../../test/second-process.ts';
import { claimApplication } from '../application/claim.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { EVENTS_PATH } from './live-state.ts';
import { endStreams, deskHub, MAX_STREAMS_PER_PERSON, liveEvents } from './live-events.server.ts';
import { makeApplication } from '../../../../test/make.ts';

// Two processes on one database: what one changes, open pages of the other hear.
const here = await makeTestPlatform();
const hearing = listenAsProcess(here, here.url);
const there = await startSecondProcess(here.url);
const [app, appThere] = [makeTestApp(here), makeTestApp(there)];

beforeAll(async () => {
  await vi.waitFor(() =>
    expect([hearing.isListening(), there.invalidations.isListening()]).toEqual([true, true]),
  );
});

type App = { request: (path: string, init: RequestInit) => Response | Promise<Response> };

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** An open stream; `since`: by default nothing has changed since. */
async function listen(on: App, { cookie }: { cookie: string }, since = here.now().getTime() + 1) {
  const answer = await on.request(`${EVENTS_PATH}?since=${since}`, { headers: { cookie } });
  let text = '';
  let isOver = answer.body === null;
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  async function read() {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) break;
      text += next.value;
    }
    isOver = true;
  }
  const reading = read();
  opened.push(async () => {
    await reader?.cancel();
    await reading;
  });
  return { answer, text: () => text, isOver: () => isOver, changes: () => changesIn(text) };
}

const changesIn = (text: string) =>
  [...text.matchAll(/event: changed\ndata: (\S+)/g)].map(([, kinds]) => kinds);

const soon = { interval: 20, timeout: 5000 };

describe('an open page', () => {
  test('hears of a change that another process made, and nothing of whose it is', async () => {
    const aydin = await storeStaff(here);
    const kaya = await storeStaff(there, { name: 'M. Kaya' });
    const { id, number } = await makeApplication(there);
    const stream = await listen(app, aydin);
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.answer.headers.get('cache-control')).toBe('no-store');
    expect(stream.answer.headers.get('x-accel-buffering')).toBe('no');
    await expect.poll(stream.text, soon).toContain('event: open');
    await claimApplication(there, kaya, id);
    await expect.poll(() => stream.changes().join(), soon).toContain('queue');
    expect(stream.text()).not.toMatch(new RegExp(`${number}|${id}|${kaya.id}|Kaya|Naidoo`));
  });

  test('is heard in the process that made the change as well, by every page, once for many changes', async () => {
    const aydin = await storeStaff(there);
    const { id } = await makeApplication(there);
    const streams = [await listen(app, aydin), await listen(appThere, aydin)];
    for (let count = 0; count < 5; count++) await claimApplication(there, aydin, id);
    for (const { changes } of streams) {
      await expect.poll(() => changes().join(), soon).toContain('queue');
      expect(changes().length).toBeLessThan(4);
    }
  });

  test('is told at once of what changed before it listened, by its own moment or the last event’s', async () => {
    const aydin = await storeStaff(here);
    await makeApplication(here);
    const missed = await listen(app, aydin, here.now().getTime() - 60_000);
    await expect.poll(missed.changes, soon).toContain('all');
    const headers = { cookie: aydin.cookie, 'last-event-id': String(here.now().getTime() + 1) };
    const again = await app.request(`${EVENTS_PATH}?since=0`, { headers });
    const first = await again.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toContain('event: open');
  });

  test('does not extend the session, and needs one', async () => {
    expect((await listen(app, { cookie: '' })).answer.status).toBe(401);
  });

  test('has so many streams a person', async () => {
    const aydin = await storeStaff(here);
    for (let count = 0; count < MAX_STREAMS_PER_PERSON; count++) {
      expect((await listen(app, aydin)).answer.status).toBe(200);
    }
    const { answer } = await listen(app, aydin);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    await opened.shift()?.();
    await expect.poll(async () => (await listen(app, aydin)).answer.status, soon).toBe(200);
  });
});

describe('with beats', () => {
  const beating = liveEvents(here, { beatMs: 40 });

  test('a stream says that it lives, and its reader what they know', async () => {
    const stream = await listen(beating, await storeStaff(here));
    await expect.poll(stream.text, soon).toMatch(/event: beat\ndata: \nid: \d+/);
  });

  test.each([
    [
      'is signed out everywhere',
      (id: string) => endSessions(here.db, { accountId: id, now: here.now() }),
    ],
    ['is deactivated', (id: string) => changeAccount(here.db, id, { active: false })],
  ])('a stream ends for somebody who %s', async (_, end) => {
    const aydin = await storeStaff(here);
    const stream = await listen(beating, aydin);
    await expect.poll(stream.text, soon).toContain('event: beat');
    await end(aydin.id);
    await expect.poll(stream.isOver, soon).toBe(true);
    expect(stream.text()).toContain('event: ended');
  });

  test('where nobody notifies, each beat asks the page to look', async () => {
    const deaf = await makeTestPlatform();
    const stream = await listen(liveEvents(deaf, { beatMs: 40 }), await storeStaff(deaf));
    await expect.poll(() => stream.changes().length, soon).toBeGreaterThan(1);
  });
});

test('after its connection was lost a process tells its pages to look', async () => {
  const aydin = await storeStaff(here);
  const stream = await listen(app, aydin);
  await expect.poll(stream.text, soon).toContain('event: open');
  await here.pool.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and query like '%pg_notify%' and pid <> pg_backend_pid()`,
  );
  await expect.poll(() => stream.changes().join(), soon).toContain('all');
});

test('a stream takes no place among the requests, and does not keep a process from stopping', async () => {
  const own = await startSecondProcess(here.url);
  const admission = makeAdmission({
    bounds: workBounds({ atOnce: 1, waiting: 1, readsAtOnce: 1 }),
    waitMs: 100,
    latestMs: 1000,
    loopDelayMs: () => 0,
  });
  const server = createServer();
  const drain = answerUntilDrained(
    server,
    makeListener({
      fetch: liveEvents(own).fetch,
      admission,
      busyAnswer: () => ({ status: 503, headers: {}, body: Buffer.from('') }),
      isSimulated: false,
    }),
    { graceMs: 0, log: makeLog({ level: 'silent' }), endStreams: () => endStreams(own) },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { cookie } = await storeStaff(own);
  const connect = async (): Promise<IncomingMessage> => {
    const asked = httpGet({ port, host: '127.0.0.1', path: EVENTS_PATH, headers: { cookie } });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  };
  // More than one at a time is worked on nowhere; both are open.
  const answers = [await connect(), await connect()];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(admission.present().read).toBe(0);
  expect(deskHub(own).count()).toBe(2);
  const ends = answers.map((answer) => once(answer, 'close'));
  await drain('retire');
  await Promise.all(ends);
  expect(deskHub(own).count()).toBe(0);
  expect((await liveEvents(own).request(EVENTS_PATH, { headers: { cookie } })).status).toBe(503);
});
