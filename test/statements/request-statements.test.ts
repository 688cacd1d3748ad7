import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { makeNumber } from '../../src/features/application/number.ts';
import { seedAll } from '../../src/features/catalog/seed.server.ts';
import { visitor } from '../../src/features/insurance/testing/visit.ts';
import { completeAnswers, countries, NOW } from '../../src/features/visa/testing/sample-answers.ts';
import { southAfrican } from '../../src/features/visa/testing/sample-browser.server.ts';
import { followInvalidations } from '../../src/platform/postgres/invalidations.server.ts';
import { seeders } from '../../src/app/composition/seeders.server.ts';
import { makeTestApp } from '../pages.ts';
import { startTestService } from '../service.ts';
import { countCost, type Cost } from './count-statements.ts';

const { platform, payments } = await startTestService({ now: NOW });
const app = makeTestApp(platform, payments);
const browser = visitor(app);

await seedAll(platform.db, seeders, NOW);

// Nothing changes from now on, so cached data stay valid as in a process that listens for changes.
followInvalidations(
  {
    mark: () => '',
    isListening: () => true,
    onDeskChange: () => () => undefined,
    close: async () => undefined,
  },
  [platform.db, platform.pool],
);

const { purpose: _, ...visa } = completeAnswers(countries.southAfrica);

const call = (path: string, body: object, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({ ...southAfrican, intent: 'next', ...fields }),
});

const STEPS = ['', '/what-it-allows', '/arrival', '/details'];
const pay = { intent: 'pay', totalAmount: '94.00', insurance: 'none' };

const sum = (costs: readonly Cost[], figure: (cost: Cost) => number) =>
  costs.reduce((all, cost) => all + figure(cost), 0);

type Work = () => Response | Promise<Response>;

/** The cost of requests, one after the other. */
async function costsOf(requests: readonly Work[]): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const request of requests) {
    const { answer, cost } = await countCost(async () => request());
    expect(answer.status).toBeLessThan(400);
    costs.push(cost);
  }
  return costs;
}

/** The ten requests of the wizard, as form posts without scripts: everything is stored and the payment begun. */
function wizard(): Work[] {
  const visit = browser();
  const ask = (path: string, init?: RequestInit) => async () => (await visit(path, init)).response;
  return [
    ...STEPS.flatMap((step) => [ask(`/application${step}`), ask(`/application${step}`, form({}))]),
    ask('/application/review'),
    ask('/application/review', form(pay)),
  ];
}

const place = () => call('/api/applications', { ...visa, totalAmount: '94.00' });

const family = () =>
  call('/api/orders', {
    applications: Array.from({ length: 10 }, (_, index) => ({
      ...visa,
      passportNumber: `${visa.passportNumber}${index}`,
    })),
    totalAmount: '940.00',
  });

async function placed(): Promise<{ applicationNumber: string; orderReference: string }> {
  const made = z.object({ applicationNumber: z.string(), orderReference: z.string() });
  return made.parse(await (await place()).json());
}

const { orderReference, applicationNumber } = await placed();
const create = () => call('/api/payment/create', { amount: '94.00', orderReference });
const status = () => app.request(`/status?ref=${applicationNumber}`);
const statusCall = () => app.request(`/api/applications/${applicationNumber}`);

/** `commits`: what is stored separately, such as the counters of limits. */
const table: Record<string, { requests: () => Work[]; statements: number; commits: number }> = {
  'the whole wizard': { requests: wizard, statements: 16, commits: 8 },
  'POST /api/applications': { requests: () => [place], statements: 2, commits: 2 },
  'POST /api/payment/create': { requests: () => [create], statements: 5, commits: 4 },
  'POST /api/orders': { requests: () => [family], statements: 4, commits: 2 },
  // While it is unpaid, its order is read as well: whether it may be paid is one rule.
  'GET /status?ref=': { requests: () => [status], statements: 4, commits: 1 },
  'GET /api/applications/:number': {
    requests: () => [statusCall],
    statements: 3,
    commits: 1,
  },
};

describe('a request may cost', () => {
  test.each(Object.entries(table))('%s', async (_, { requests, statements, commits }) => {
    // What a process reads once has been read.
    await costsOf(requests());
    const costs = await costsOf(requests());
    const listing = costs.flatMap((cost) => cost.statements).join('\n');
    expect(
      sum(costs, (cost) => cost.statements.length),
      listing,
    ).toBeLessThanOrEqual(statements);
    expect(
      sum(costs, (cost) => cost.commits),
      listing,
    ).toBeLessThanOrEqual(commits);
    // A transaction that waits for another connection may wait for ever.
    expect(costs.flatMap(({ beside }) => beside)).toEqual([]);
  });
});

it('an unknown number is looked up by the statements of a known one', async () => {
  const texts = async (number: string) => {
    const { cost } = await countCost(async () => app.request(`/api/applications/${number}`));
    return cost.statements;
  };
  const unknown = makeNumber('TRV', randomBytes(12));
  const known = await texts(applicationNumber);
  expect(known).toHaveLength(3);
  expect(await texts(unknown)).toEqual(known);
});

describe('the counter', () => {
  const { db } = platform;
  const add = sql`insert into rate_limit values ('counted', 1, 1) on conflict (key) do nothing`;
  const figures = async (work: () => Promise<unknown>) => {
    const { statements, commits, beside } = (await countCost(work)).cost;
    return { statements: statements.length, commits, beside: beside.length };
  };

  it('counts what opens and ends a transaction, and what it stores once', async () => {
    const work = () =>
      db.transaction(async (tx) => {
        await tx.execute(add);
        await tx.transaction((inner) => inner.execute(add));
      });
    expect(await figures(work)).toEqual({ statements: 6, commits: 1, beside: 0 });
  });

  it('counts no commit for what only reads or holds, or is rolled back', async () => {
    const hold = sql`select 1 from rate_limit for update`;
    expect(await figures(() => db.transaction((tx) => tx.execute(hold)))).toMatchObject({
      statements: 3,
      commits: 0,
    });
    const work = () =>
      db
        .transaction(async (tx) => {
          await tx.execute(add);
          throw new Error('no');
        })
        .catch(() => undefined);
    expect(await figures(work)).toEqual({ statements: 3, commits: 0, beside: 0 });
  });

  it('finds a statement beside a transaction, and leaves what others do alone', async () => {
    const work = async () => {
      const client = await platform.pool.connect();
      await client.query('begin');
      await db.execute(add);
      await client.query('commit');
      client.release();
    };
    expect(await figures(work)).toEqual({ statements: 3, commits: 1, beside: 1 });
    const other = work();
    expect(await figures(async () => undefined)).toEqual({ statements: 0, commits: 0, beside: 0 });
    await other;
  });
});
