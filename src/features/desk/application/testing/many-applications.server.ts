import type { Pool } from 'pg';
import { randomUUID } from 'node:crypto';

/**
 * Inserts `count` applications in one statement, without related rows: one in ten named Mehmet, one in a hundred from
 * Jamaica, one in twelve unpaid, the newest 300 undecided and some of those paused, all others decided.
 */
export async function storeManyApplications(pool: Pool, count: number, now: Date): Promise<void> {
  await pool.query(
    `insert into purchase_order (id, number, amount_minor, currency, language, customer_name, customer_email, created_at,
       refund_policy)
     select gen_random_uuid(), 'order ' || n, 9400, 'USD', 'en', 'Mehmet', 'm' || n || '@example.org', $2::timestamptz, '{}'
     from generate_series(1, $1::int) n`,
    [count, now],
  );
  await pool.query(
    `insert into application (id, kind, number, status, action_required, paused_at, language, first_name, last_name, email,
       phone, date_of_birth, country_code, travel_document, starts_on, service, order_number, amount_minor, currency,
       created_at, paid_at, promised_at, decided_at, rejection_code, rejection_reason)
     select gen_random_uuid(), case when n % 5 = 0 then 'insurance' else 'visa' end,
       'TRV' || upper(substr(md5('number' || n), 1, 13)),
       case when not decided then 'pending' when n % 9 = 0 then 'rejected' else 'approved' end,
       paused, case when paused then at end, 'en',
       case when n % 10 = 1 then 'Mehmet' else initcap(substr(md5('first' || n % 700), 1, 6)) end,
       initcap(substr(md5('last' || n % 3000), 1, 7)), 'm' || n || '@example.org', '+27 11 555 0100', '1984-05-02',
       case when n % 100 = 7 then 'JAM' when n % 3 = 0 then 'ZAF' else 'IND' end, 'ordinary', at::date + 20,
       (array['standard', 'fast', 'express', 'urgent'])[1 + n % 4], 'order ' || n, 9400, 'USD', at,
       case when paid then at end, case when paid then at + interval '2 days' end,
       case when decided then at + interval '1 day' end, case when decided and n % 9 = 0 then 'other' end,
       case when decided and n % 9 = 0 then 'Photo' end
     from (
       select n, n % 12 <> 5 as paid, n % 12 <> 5 and n <= $1::int - 300 as decided, n > $1 - 300 and n % 12 = 4 as paused,
         $2::timestamptz - ($1 - n) * interval '2 minutes' as at
       from generate_series(1, $1) n
     ) made`,
    [count, now],
  );
  await pool.query('vacuum analyze application');
}

/** The history of one application; moments in milliseconds since 1970. `lab`: an order without an application. */
export type History = {
  kind: 'visa' | 'insurance';
  country: string;
  createdAt: number;
  paidAt: number | null;
  promisedAt: number | null;
  /** `withdrawn`: rejected because the traveller asked for it. */
  decided: { at: number; approved: boolean; withdrawn?: boolean } | null;
  amountMinor: number;
  refundedMinor: number;
  lab: boolean;
};

const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Replaces everything stored by these histories, each with its order and, if paid, its attempt. */
export async function storeHistories(pool: Pool, histories: readonly History[]): Promise<void> {
  const rows = histories.map((history, index) => ({
    id: randomUUID(),
    attempt: randomUUID(),
    order_id: randomUUID(),
    number: `${history.kind === 'visa' ? 'TRV' : 'TRI'}${String(index).padStart(13, '0')}`,
    kind: history.kind,
    status: history.decided ? (history.decided.approved ? 'approved' : 'rejected') : 'pending',
    country: history.country,
    created_at: moment(history.createdAt),
    paid_at: moment(history.paidAt),
    promised_at: moment(history.promisedAt),
    decided_at: moment(history.decided?.at ?? null),
    amount: history.amountMinor,
    refunded: history.refundedMinor,
    lab: history.lab,
    withdrawn: history.decided?.withdrawn ?? false,
  }));
  for (const table of ['application', 'purchase_order', 'payment_attempt']) {
    await pool.query(`delete from ${table}`);
  }
  const given = `jsonb_to_recordset($1::jsonb) as h(id uuid, attempt uuid, order_id uuid, number text, kind text,
    status text, country text, created_at timestamptz, paid_at timestamptz, promised_at timestamptz,
    decided_at timestamptz, amount int, refunded int, lab boolean, withdrawn boolean)`;
  const json = [JSON.stringify(rows)];
  await pool.query(
    `insert into payment_attempt (id, reference, amount_minor, currency, provider, state, capture_id, refunded_minor,
       claimed_minor, begun_by, created_at, changed_at, completed_at)
     select attempt, number, amount, 'USD', 'card',
       case refunded when 0 then 'completed' when amount then 'refunded' else 'partially_refunded' end,
       number, refunded, refunded, 'payer', created_at, paid_at, paid_at
     from ${given} where paid_at is not null`,
    json,
  );
  await pool.query(
    `insert into purchase_order (id, number, amount_minor, currency, language, customer_name, customer_email, created_at,
       paid_at, paid_by, lab, refund_policy)
     select order_id, number, amount, 'USD', 'en', 'Thabo Naidoo', 'thabo@example.org', created_at, paid_at,
       case when paid_at is not null then attempt end, lab, '{}'
     from ${given}`,
    json,
  );
  await pool.query(
    `insert into application (id, kind, number, status, language, first_name, last_name, email, phone, date_of_birth,
       country_code, travel_document, starts_on, service, order_number, amount_minor, currency, created_at, paid_at,
       promised_at, decided_at, rejection_code, rejection_reason)
     select id, kind, number, status, 'en', 'Thabo', 'Naidoo', 'thabo@example.org', '+27 11 555 0100', '1984-05-02',
       country, 'ordinary', '2027-01-01', 'standard', number, amount, 'USD', created_at, paid_at, promised_at,
       decided_at, case when status = 'rejected' then case when withdrawn then 'withdrawn' else 'other' end end,
       case when status = 'rejected' then 'reason' end
     from ${given} where not lab`,
    json,
  );
}
