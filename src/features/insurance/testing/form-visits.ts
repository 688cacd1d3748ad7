import { count } from 'drizzle-orm';
import { beforeAll, expect } from 'vitest';
import { application } from '~/features/application/tables.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seedInsurance } from '../store/seed.server.ts';
import type { draft } from '~/features/form/tables.server.ts';
import { insurancePhoto } from '../store/tables.server.ts';
import { jpeg } from './api-calls.ts';
import { formRequest as form, visitor } from './visit.ts';

/** A service with its insurance form, and the actions of visitors. Call it at the top of a test file. */
export async function formVisits() {
  const platform = await makeTestPlatform();
  const app = makeTestApp(platform);

  beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

  const browser = visitor(app);
  const born2012 = { 'dateOfBirth-year': '2012' };

  async function photo(name: string, shade = '#8ab'): Promise<File> {
    return new File([new Uint8Array(await jpeg(shade))], name, { type: 'image/jpeg' });
  }

  type Visit = ReturnType<typeof browser>;

  /** Fills the form in, goes on to the review, and presses its button. */
  async function submit(visit: Visit, filled: RequestInit, path = '/insurance') {
    const sent = await visit(path, filled);
    expect(sent.location).toBe('/insurance/review');
    return visit('/insurance/review', form({ intent: 'pay' }));
  }

  const summaryOf = (html: string) =>
    [...html.matchAll(/<li><a[^>]* href="#([\w-]+)">([^<]*)<\/a>/g)].map(([, field, text]) => [
      field,
      text,
    ]);
  const radio = (html: string, plan: string) =>
    new RegExp(`<input[^>]*value="${plan}"[^>]*>`).exec(html)?.[0] ?? '';
  const rows = async (table: typeof application | typeof insurancePhoto | typeof draft) => {
    const [row] = await platform.db.select({ all: count() }).from(table);
    return row?.all ?? 0;
  };
  return { born2012, browser, photo, platform, radio, rows, submit, summaryOf };
}
