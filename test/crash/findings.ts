import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import type { Purchase } from './purchase.ts';

export type Findings = {
  faults: string[];
  /** Attempts that nobody has decided although the gateway has. */
  undecided: number;
  figures: Record<string, number>;
};

const access = z.looseObject({ port: z.number(), servicePassword: z.string() });

/** Looks into the database itself: what must hold after any crash. */
export async function findings(dataDir: string, purchases: readonly Purchase[]): Promise<Findings> {
  const file: unknown = JSON.parse(readFileSync(join(dataDir, 'postgres', 'access.json'), 'utf8'));
  const { port, servicePassword } = access.parse(file);
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'service',
    password: servicePassword,
    database: 'service',
  });
  await client.connect();
  try {
    return await look(client, purchases);
  } finally {
    await client.end();
  }
}

async function look(client: pg.Client, purchases: readonly Purchase[]): Promise<Findings> {
  const faults: string[] = [];
  const count = async (query: string) => {
    const { rows } = await client.query<{ n: string }>(
      `select count(*) as n from (${query}) as found`,
    );
    return Number(rows[0]?.n ?? 0);
  };
  const none = async (fault: string, query: string) => {
    const found = await count(query);
    if (found > 0) faults.push(`${found} × ${fault}`);
  };

  const numbers = purchases.map(({ number }) => number);
  const { rows: stored } = await client.query<{ number: string }>(
    'select number from application where number = any($1)',
    [numbers],
  );
  if (stored.length !== numbers.length) {
    faults.push(`${numbers.length - stored.length} × an acknowledged application is lost`);
  }
  if (new Set(numbers).size !== numbers.length) faults.push('one number was given twice');
  const applications = await count('select 1 from application');
  if (applications !== purchases.length) {
    faults.push(`${purchases.length} idempotency keys made ${applications} applications`);
  }

  await none(
    'an application without its order or its visa part',
    `select a.id from application a left join purchase_order o on o.number = a.order_number
     left join visa_application v on v.application_id = a.id where o.id is null or v.application_id is null`,
  );
  await none(
    'an order with two completed attempts',
    'select reference from payment_attempt where completed_at is not null group by reference having count(*) > 1',
  );
  await none(
    'an order whose payment does not match',
    `select o.id from purchase_order o left join payment_attempt p on p.id = o.paid_by
     where (o.paid_at is not null and (p.completed_at is null or p.reference <> o.number or p.amount_minor <> o.amount_minor))
        or (o.paid_at is null and exists (select 1 from payment_attempt c where c.reference = o.number and c.completed_at is not null))`,
  );
  await none(
    'a paid application without its promised moment',
    `select a.id from application a join purchase_order o on o.number = a.order_number
     where (o.paid_at is null) <> (a.promised_at is null)`,
  );
  await none(
    'money taken for an order beyond its price and not given back',
    `select p.reference from lab_gateway_transaction g join payment_attempt p on p.id = g.order_ref::uuid
     where g.status = 'completed' and g.refunds = '{}' and p.state not in ('created', 'redirected', 'pending', 'authorised')
     group by p.reference having count(*) > 1`,
  );
  const undecided = await count(
    `select p.id from payment_attempt p join lab_gateway_transaction g on g.order_ref = p.id::text
     where g.status <> 'created' and p.state in ('created', 'redirected', 'pending', 'authorised', 'captured_late')`,
  );
  if (undecided === 0) {
    await none(
      'a capture that paid nothing',
      `select g.id from lab_gateway_transaction g join payment_attempt p on p.id::text = g.order_ref
       where g.status = 'completed' and p.state not in ('completed', 'refunded')`,
    );
  }
  return {
    faults,
    undecided,
    figures: {
      applications,
      acknowledged: purchases.length,
      paidOrders: await count('select 1 from purchase_order where paid_at is not null'),
      attempts: await count('select 1 from payment_attempt'),
      captures: await count(`select 1 from lab_gateway_transaction where status = 'completed'`),
      refundedDoubles: await count(`select 1 from payment_attempt where state = 'refunded'`),
    },
  };
}
