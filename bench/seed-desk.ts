import { sampleTerms } from '../src/features/insurance/store/seed.server.ts';
import type { Pool } from 'pg';
import { countries, firstNames, lastNames, emailDomains, syllables } from './seed-names.ts';

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const list = (words: readonly string[]) =>
  `(array['${words.map((word) => word.replaceAll("'", "''")).join("','")}'])`;
/** An element of a list, earlier ones more often the higher the exponent. */
const drawn = (words: readonly string[], exponent: number) =>
  `${list(words)}[1 + floor(random() ^ ${exponent} * ${words.length})::int]`;
/** Thirteen characters of a number, from the bytes of a hash. */
const body = Array.from(
  { length: 13 },
  (_, index) => `substr('${LETTERS}', 1 + get_byte(h, ${index}) % 32, 1)`,
).join(' || ');
const rareName = syllables.map((part) => drawn(part, 1)).join(' || ');

/** The statements that make `count` applications; the same for every run except for the names, which are random. */
const steps: readonly (readonly [string, string])[] = [
  ['draw', 'drop table if exists bench_row'],
  [
    // One of twelve is never paid. The newest paid ones are undecided; one in forty of those is paused.
    'draw',
    `create unlogged table bench_row as
     select *, paid and not waiting as decided,
       case when waiting then $2::timestamptz + (random() * 72 - 4) * interval '1 hour' else at + interval '2 days' end as promised_at
     from (
       select n, gen_random_uuid() as id, gen_random_uuid() as attempt,
         case when n % 5 = 0 then 'insurance' else 'visa' end as kind,
         case when n % 5 = 0 then 'TRI' else 'TRV' end || ${body} as number,
         ${drawn(firstNames, 2.2)} as first_name,
         case when n % 4 = 0 then ${rareName} else ${drawn(lastNames, 2.2)} end as last_name,
         ${drawn(emailDomains, 1)} as email_domain,
         ${drawn(countries, 2)} as country,
         $2::timestamptz - ($1 - n) * interval '5 years' / $1 - interval '1 minute' as at,
         n % 12 <> 3 as paid, n % 12 <> 3 and n > $1 - least(4000, $1 / 10) as waiting, n % 40 = 8 as paused
       from generate_series(1, $1::int) n cross join lateral (select sha256(('number' || n)::bytea) as h) as hash
     ) drawn`,
  ],
  [
    'payments',
    `insert into payment_attempt (id, reference, amount_minor, currency, provider, provider_reference, state, capture_id,
       refunded_minor, claimed_minor, begun_by, created_at, changed_at, completed_at)
     select attempt, number, 9400, 'USD', 'card', 'tx-' || n,
       case when not paid then 'failed' when n % 40 = 0 then 'partially_refunded' else 'completed' end,
       case when paid then 'c-' || n end,
       case when paid and n % 40 = 0 then 2500 else 0 end, case when paid and n % 40 = 0 then 2500 else 0 end,
       'payer', at, at + interval '10 minutes', case when paid then at + interval '10 minutes' end
     from bench_row where paid or n % 2 = 0`,
  ],
  [
    'orders',
    `insert into purchase_order (id, number, amount_minor, currency, language, customer_name, customer_email, created_at, paid_at, paid_by, refund_policy)
     select gen_random_uuid(), number, 9400, 'USD', 'en', first_name || ' ' || last_name, 'payer@example.org', at,
       case when paid then at + interval '10 minutes' end, case when paid then attempt end, '{}'
     from bench_row`,
  ],
  [
    'applications',
    `insert into application (id, kind, number, status, action_required, paused_at, language, first_name, last_name, email, phone,
       date_of_birth, country_code, travel_document, starts_on, service, order_number, amount_minor, currency, created_at,
       paid_at, promised_at, decided_at, rejection_code, rejection_reason)
     select id, kind, number,
       case when decided then case when n % 9 = 0 then 'rejected' else 'approved' end
         when waiting and n % 4 = 0 then 'processing' else 'pending' end,
       waiting and paused, case when waiting and paused then at + interval '1 hour' end,
       'en', first_name, last_name,
       translate(lower(last_name || '.' || left(first_name, 3)), 'ıçğöşüáéíñóøłđ', 'icgosuaeinoold') || n % 4000 || '@' || email_domain,
       '+27 11 555 0100', '1984-05-02', country, 'ordinary', at::date + 20,
       case when kind = 'insurance' then (array['7', '14', '30', '60'])[1 + n % 4]
         else (array['standard', 'standard', 'fast', 'express', 'urgent', 'slow', 'urgent_24', 'urgent_1'])[1 + n % 8] end,
       number, 9400, 'USD', at, case when paid then at + interval '10 minutes' end,
       case when paid then promised_at end,
       case when decided then at + (10 + n % 50) * interval '1 hour' end,
       case when decided and n % 9 = 0 then 'other' end,
       case when decided and n % 9 = 0 then 'The photo cannot be read.' end
     from bench_row`,
  ],
  [
    'visas',
    `insert into visa_application (application_id, passport_number, passport_hash, passport_issue_date,
       passport_expiry_date, place_of_birth, mother_name, father_name, address, stay_days, entries, supporting_document_type)
     select id, '\\x00'::bytea, sha256(('passport' || n)::bytea), '2023-01-11', '2033-01-10', 'Durban', 'Nomsa Naidoo',
       'Sipho Naidoo', '12 Florida Road, Durban', 30, 'single', case when n % 3 = 0 then 'visa' end
     from bench_row where kind = 'visa'`,
  ],
  [
    'insurances',
    `insert into insurance_application (application_id, passport_number, passport_hash, return_date, trip_days,
       plan_days, cover_until, is_minor, terms_version, verify_hash)
     select id, '\\x00'::bytea, sha256(('passport' || n)::bytea), at::date + 30, 10, 14, at::date + 33, false,
       (select min(version) from insurance_terms), sha256(('verify' || n)::bytea)
     from bench_row where kind = 'insurance'`,
  ],
  [
    'trail',
    `insert into audit_entry (at, staff_id, action, subject_kind, subject_id, detail)
     select at + interval '3 days', null, 'email_sent', 'application', id::text,
       jsonb_build_object('kind', case when n % 9 = 0 then 'rejected' else 'approved' end)
     from bench_row where decided`,
  ],
  [
    'staff',
    `insert into staff_account (id, email, name, password_hash, role, created_at)
     select md5('reviewer' || n)::uuid, 'reviewer' || n || '@example.org', 'Reviewer ' || n, '-', 'reviewer',
       $2::timestamptz - interval '5 years' from generate_series(1, 8) n where $1 > 0`,
  ],
  [
    // Everyone looked twice, half an hour before the decision the second time; minors' insurance is one in five.
    'decisions',
    `insert into application_event (application_id, kind, at, staff_id)
     select id, case when n % 9 = 0 then 'rejected' else 'approved' end, at + (10 + n % 50) * interval '1 hour',
       md5('reviewer' || 1 + n % 8)::uuid
     from bench_row where decided and (kind = 'visa' or n % 25 = 0)`,
  ],
  [
    'looks',
    `insert into audit_entry (at, staff_id, action, subject_kind, subject_id, detail)
     select at + part * (10 + n % 50) * interval '1 hour', md5('reviewer' || 1 + n % 8)::uuid, 'application_viewed',
       'application', id::text, '{}'
     from bench_row, (values (0.5), (0.95)) as looked (part) where decided and (kind = 'visa' or n % 25 = 0)`,
  ],
  ['draw', 'drop table bench_row'],
];

const TABLES =
  'application visa_application insurance_application purchase_order payment_attempt audit_entry application_event';

/**
 * Inserts `count` applications over five years up to `now`, each with answers, order, payment and the audit entry of
 * its email. Table by table, with indexes built afterwards, which is several times quicker.
 */
export async function seedDesk(
  pool: Pool,
  count: number,
  now: Date,
  say: (line: string) => void = (line) => console.log(line),
): Promise<void> {
  const client = await pool.connect();
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    say(`  ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  try {
    // The terms as the service stores them at its start, to which insurances refer.
    await client.query(
      `with decided as (
         insert into setting_change (section, "values", valid_from, reason, created_at)
         values ('insurance_terms', $1, to_timestamp(0), '', now()) returning id
       )
       insert into insurance_terms (is_sample, change_id, covers, published_at)
       select true, id, $2, now() from decided`,
      [JSON.stringify({ terms: sampleTerms }), JSON.stringify(sampleTerms.covers)],
    );
    const { rows: built } = await client.query<{ name: string; made: string }>(
      `select i.indexname as name, i.indexdef as made from pg_indexes i
       where i.tablename = any(string_to_array($1, ' ')) and i.indexdef not like 'CREATE UNIQUE%'`,
      [TABLES],
    );
    for (const { name } of built) await client.query(`drop index ${name}`);
    for (const [name, statement] of steps) {
      const values = statement.includes('$2') ? [count, now] : [];
      await timed(name, () => client.query(statement, values));
    }
    for (const { name, made } of built) await timed(`index ${name}`, () => client.query(made));
    await timed('vacuum analyze', () => client.query('vacuum analyze'));
  } finally {
    client.release();
  }
}
