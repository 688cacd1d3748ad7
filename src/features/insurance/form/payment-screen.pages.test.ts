import { beforeAll, describe, expect, it } from 'vitest';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seedInsurance } from '../store/seed.server.ts';
import { filledIn, sentForm, visitor } from '../testing/visit.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const browser = visitor(app);

beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

describe('"Insure another traveller" beside an unpaid application', () => {
  it('opens an empty form instead of leading back, and the next one has a number of its own', async () => {
    const visit = browser();
    const submit = async () => {
      await visit('/insurance', sentForm(filledIn));
      return (await visit('/insurance/review', sentForm({ intent: 'pay' }))).location;
    };
    const screen = await submit();
    expect(screen).toContain('/insurance/payment?ref=TRI');
    expect((await visit('/insurance')).location).toBe(screen);

    const { html } = await visit(screen);
    expect(html).toMatch(/<button(?=[^>]*name="intent")[^>]*value="another"/);
    const left = await visit(screen, sentForm({ intent: 'another' }));
    expect(left.response.status).toBe(303);
    expect(left.location).toBe('/insurance');

    const form = await visit('/insurance');
    expect(form.response.status).toBe(200);
    expect(form.html).not.toContain('Hernández');
    const next = await submit();
    expect(next).toContain('/insurance/payment?ref=TRI');
    expect(next).not.toBe(screen);
  });
});
