import { beforeAll, describe, expect, it } from 'vitest';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { adult } from '../src/features/insurance/testing/sample-answers.ts';
import { completeAnswers, countries, NOW } from '../src/features/visa/testing/sample-answers.ts';
import { southAfrican } from '../src/features/visa/testing/sample-browser.server.ts';
import { saveDraft } from '../src/features/form/draft/draft.server.ts';
import { visaDrafts } from '../src/features/visa/store/draft.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { useDatabase } from './database.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { isThorough } from './thorough.ts';

const TRAVELLERS = 128;
const ROUNDS = isThorough ? [1, 2, 3] : [1];

// Far fewer connections than travellers: a request that holds one and asks for another would block all others.
const database = await useDatabase({ poolSize: 3, waitMs: 100_000 });
const platform = await makeTestPlatform({
  now: NOW,
  database,
  variables: { TRUST_PROXY: 'yes' },
});
const app = makeTestApp(platform);
beforeAll(() => seedAll(platform.db, seeders, NOW));

let travellers = 0;
/** Each traveller has an address of their own. */
const address = () => {
  travellers++;
  return `2001:db8:${travellers.toString(16)}::1`;
};

const call = (path: string, body: object) => () =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address() },
    body: JSON.stringify(body),
  });

async function atOnce(submit: readonly (() => Response | Promise<Response>)[]) {
  const before = await stored();
  const answers = await Promise.all(submit.map(async (one) => one()));
  const done = answers.filter(({ status }) => status < 400).length;
  const others = answers.filter(({ status }) => status >= 400);
  return {
    unanswered: others.filter(
      ({ status, headers }) => status !== 503 || !headers.get('retry-after'),
    ),
    done,
    refused: others.length,
    stored: (await stored()) - before,
  };
}

async function stored(): Promise<number> {
  const { rows } = await platform.pool.query<{ n: number }>(
    'select count(*)::int as n from application',
  );
  return rows[0]?.n ?? 0;
}

/** The wizard's last page, with all answers given, in a browser of its own. */
async function atReview() {
  const entries = southAfrican;
  const request = new Request('http://127.0.0.1/application');
  const writing = { step: 'details', entries, page: 'p', seen: 0, turn: 1, by: 'next' } as const;
  const saved = await saveDraft(visaDrafts, platform, request, null, writing, 'en');
  const cookie = (saved.kind === 'saved' && saved.setCookie?.split(';')[0]) || '';
  const headers = { cookie, 'x-forwarded-for': address() };
  const body = new URLSearchParams({ intent: 'pay', totalAmount: '94.00', scripts: 'yes' });
  return () => app.request('/application/review', { method: 'POST', headers, body });
}

const { purpose: _, ...visa } = completeAnswers(countries.southAfrica);
const insurance = {
  ...adult,
  travelDate: '2026-12-12',
  returnDate: '2026-12-21',
  dateOfBirth: '1991-07-14',
  productId: '14-days',
  totalAmount: '149.00',
};

const everybody = <T>(make: () => T): T[] => Array.from({ length: TRAVELLERS }, make);

describe.each(ROUNDS)('128 travellers at once over three connections, round %i', () => {
  it('post applications: each is stored', { timeout: 180_000 }, async () => {
    const post = call('/api/applications', { ...visa, totalAmount: '94.00' });
    const all = await atOnce(everybody(() => post));
    expect(all).toEqual({ unanswered: [], done: TRAVELLERS, refused: 0, stored: TRAVELLERS });
  });

  it('take the wizard’s last step: each is stored', { timeout: 180_000 }, async () => {
    const all = await atOnce(await Promise.all(everybody(atReview)));
    expect(all).toEqual({ unanswered: [], done: TRAVELLERS, refused: 0, stored: TRAVELLERS });
  });

  it('buy an insurance: each is stored', { timeout: 180_000 }, async () => {
    const all = await atOnce(everybody(() => call('/api/insurance/applications', insurance)));
    expect(all).toEqual({ unanswered: [], done: TRAVELLERS, refused: 0, stored: TRAVELLERS });
  });
});
