import type { Pool } from 'pg';

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
