import { expect, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { csvDownload } from '~/platform/http/csv.server.ts';
import { useDatabase } from '../../../../test/database.ts';
import { storeHistories, type History } from '../application/testing/many-applications.server.ts';
import { applicationsColumns, submittedIn } from './statistics-files.server.ts';
import { periodOf } from './period.ts';

const { db, pool } = await useDatabase();
const today = parseDate('2026-11-21');
if (!today) throw new Error('A day');
const period = periodOf('30d', 'day', today);

const ROWS = 12_000;
const history = (createdAt: number, given: Partial<History> = {}): History => ({
  kind: 'visa',
  country: 'ZAF',
  createdAt,
  paidAt: null,
  promisedAt: null,
  decided: null,
  amountMinor: 94_00,
  refundedMinor: 0,
  lab: false,
  ...given,
});
const noon = Date.parse('2026-11-20T12:00:00Z');

const download = () =>
  csvDownload(
    'applications',
    applicationsColumns,
    submittedIn((read) => read(db), period),
  );
const textOf = async (response: Response) => (await response.text()).replace('\ufeff', '');

test('a download that is cancelled ends the reading', async () => {
  let isEnded = false;
  async function* rows() {
    try {
      for (;;) yield 'a'.repeat(1000);
    } finally {
      isEnded = true;
    }
  }
  const reader = csvDownload('x', { a: (row) => row }, rows()).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(isEnded).toBe(true);
});

test('a text that a spreadsheet would run is written as text', async () => {
  await storeHistories(pool, [history(noon, { country: '=1+1' })]);
  expect(await textOf(download())).toContain(`,"'=1+1",`);
});

test('the bounds are UTC days: the last millisecond before is out, the first of the period is in', async () => {
  const first = Date.parse('2026-10-23T00:00:00Z');
  const end = Date.parse('2026-11-22T00:00:00Z');
  await storeHistories(
    pool,
    [first - 1, first, end - 1, end].map((at) => history(at)),
  );
  const lines = (await textOf(download())).trim().split('\r\n').slice(1);
  expect(lines.map((line) => line.split(',')[5])).toEqual([
    '2026-10-23T00:00:00.000Z',
    '2026-11-21T23:59:59.999Z',
  ]);
});

test('a long file is sent while it is read, no faster than it is received, and holds no connection meanwhile', async () => {
  await storeHistories(pool, []);
  // Search indexes are not needed here, and slow down inserting.
  await pool.query('drop index application_search, application_number_part');
  // Groups of ten share a moment, so that a batch may end amid one.
  await pool.query(
    `insert into purchase_order (id, number, amount_minor, currency, language, customer_name, customer_email, created_at,
       refund_policy)
     select gen_random_uuid(), n, 9400, 'USD', 'en', 'Thabo Naidoo', 'thabo@example.org', $2::timestamptz, '{}'
     from generate_series(0, $1::int - 1) n`,
    [ROWS, new Date(noon)],
  );
  await pool.query(
    `insert into application (id, kind, number, status, language, first_name, last_name, email, phone, date_of_birth,
       country_code, travel_document, starts_on, service, order_number, amount_minor, currency, created_at)
     select gen_random_uuid(), 'visa', 'TRV' || lpad(n::text, 13, '0'), 'pending', 'en', 'Thabo', 'Naidoo',
       'thabo@example.org', '+27 11 555 0100', '1984-05-02', 'ZAF', 'ordinary', '2027-01-01', 'standard', n, 9400, 'USD',
       $2::timestamptz - n / 10 * interval '1 second'
     from generate_series(0, $1::int - 1) n`,
    [ROWS, new Date(noon)],
  );
  await pool.query('analyze application');
  let readings = 0;
  pool.on('acquire', () => (readings += 1));
  const reader = download().body?.getReader();
  if (!reader) throw new Error('A body');
  const bytes = new TextDecoder();
  let text = '';
  const take = async () => {
    const { done, value } = await reader.read();
    text += bytes.decode(value, { stream: !done });
    return !done;
  };

  await take();
  expect(text).toContain('number,kind,status');
  await take();
  expect(text.split('\r\n').length).toBeGreaterThan(50);
  // The reader pauses: only the first of a dozen batches was needed so far.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(readings).toBeLessThanOrEqual(2);
  expect(pool.idleCount).toBe(pool.totalCount);

  await pool.query(`update application set country_code = 'MEX' where number = 'TRV0000000000000'`);
  while (await take());
  expect(readings).toBeGreaterThan(ROWS / 1000);
  const [, ...lines] = text.trim().split('\r\n');
  expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(ROWS);
  expect(lines).toHaveLength(ROWS);
  // One of the newest, so it was read after it was changed.
  expect(lines.find((line) => line.startsWith('TRV0000000000000'))).toContain(',MEX,');
});
