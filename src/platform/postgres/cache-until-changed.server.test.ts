import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { costOf } from '../../../test/statements/count-statements.ts';
import { country } from '~/features/catalog/tables.server.ts';
import { cacheUntilChanged } from './invalidations.server.ts';

const { db } = await useDatabase();

it('sends a query once, however many wait for it and however it is made', async () => {
  const builder = cacheUntilChanged({
    topic: 'country',
    read: (one) => one.select().from(country),
  });
  const statement = cacheUntilChanged({
    topic: 'country',
    read: (one) => one.execute(sql`select 1 from ${country}`),
  });
  for (const { current } of [builder, statement]) {
    const { cost } = await costOf(() => Promise.all([current(db), current(db), current(db)]));
    expect(cost.statements).toHaveLength(1);
  }
});
