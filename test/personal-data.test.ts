import { getTableName, sql } from 'drizzle-orm';
import { text } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import { retention } from '../src/base/retention-periods.ts';
import { allTables, personalTables } from '../src/features/desk/privacy/personal-tables.server.ts';
import { registerOfProcessing } from '../src/features/desk/privacy/register.server.ts';
import { personalTable } from '../src/platform/postgres/personal-table.server.ts';
import { useDatabase } from './database.ts';

const { db } = await useDatabase();

test('a column that does not say whether it is personal is refused', () => {
  const facts = { about: 'traveller', purpose: 'to see it refused' } as const;
  expect(() => personalTable('refused', facts, { nickname: text().notNull() })).toThrow(
    'Is refused.nickname personal or internal?',
  );
});

describe('the tables of personal data', () => {
  test('are among those of the export, which are all of the database', async () => {
    const { rows } = await db.execute<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    // What the simulated partners hold is not the operator's.
    const inDatabase = rows.map(({ name }) => name).filter((name) => name !== 'simulated_document');
    const named = allTables.map((table) => getTableName(table));
    expect(named.toSorted()).toEqual(inDatabase.toSorted());
    expect(inDatabase.length).toBeGreaterThan(40);
  });

  test('are all but those that are known to be nobody’s', () => {
    const personal = new Set(personalTables.map(({ name }) => name));
    const others = allTables
      .map((table) => getTableName(table))
      .filter((one) => !personal.has(one));
    expect(others.toSorted()).toEqual([
      'audit_seal',
      'backup',
      'country',
      'deletion_record',
      'draft_party',
      'erased_application',
      'insurance_plan',
      'insurance_terms',
      'payment_movement',
      'payment_notification',
      'payment_partner',
      'rate_limit',
      'receipt_counter',
      'reconciliation',
    ]);
  });

  test('say how the rows of travellers, payers and drafts are found, and what an erasure does', () => {
    const about = ['traveller', 'payer', 'draft'];
    const unfound = personalTables
      .filter((one) => about.includes(one.about) && one.rows.length === 0)
      .map(({ name }) => name);
    // No column says whose they are: `read-person.server.ts` opens each.
    expect(unfound).toEqual(['idempotency_key']);
    // The account of somebody who works here ends with the work, and not on a request.
    const untouched = personalTables
      .filter((one) => one.rows.length > 0 && one.erasure === 'none' && one.about !== 'staff')
      .map(({ name }) => name);
    expect(untouched).toEqual([]);
  });

  test('keep after an erasure only what a law obliges us to keep', () => {
    const kept = personalTables.filter(({ erasure }) => erasure === 'kept');
    const reasons = kept.flatMap(({ kept: kinds }) => kinds).map((kind) => retention[kind]);
    expect(kept.every(({ kept: kinds }) => kinds.length > 0)).toBe(true);
    expect(reasons.every((reason) => 'law' in reason)).toBe(true);
  });
});

test('the register of processing names every table', () => {
  const register = registerOfProcessing();
  const [people = '', nobody = ''] = register.split('## Tables without personal data');
  for (const table of allTables) {
    const name = getTableName(table);
    if (personalTables.some((one) => one.table === table))
      expect(people).toContain(`\n| ${name} | `);
    else expect(nobody.trim().split(', ')).toContain(name);
  }
});
