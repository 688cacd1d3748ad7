import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insuranceAddOn } from '~/app/composition/add-ons.server.ts';
import { formatNumber } from '~/base/format-number.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { openPayerLink } from '~/features/order/payer/payer-link.server.ts';
import {
  remindUnpaid,
  TELL_AFTER_MS,
  tellUnpaid,
} from '~/features/order/payer/remind-unpaid-store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import {
  makeBrowser,
  southAfrican,
  storeCountries,
} from '~/features/visa/testing/sample-browser.server.ts';
import { handleNationalitySubmit } from '~/features/visa/wizard/nationality.server.ts';
import { handleReviewSubmit } from '~/features/visa/wizard/review.server.ts';
import { handleStepSubmit } from '~/features/visa/wizard/handle-step-submit.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { emailJobs } from './jobs.server.ts';

const platform = await makeTestPlatform({ now: NOW });
await storeCountries(platform);
await seedAll(platform.db, seeders, NOW);
const HOUR = 3600_000;

/** An e-visa and an insurance of 30 days, submitted together and not paid. */
async function submitTogether() {
  const browser = makeBrowser(platform, { addOn: insuranceAddOn });
  await browser.post(handleNationalitySubmit, southAfrican);
  for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
    await browser.post((args) => handleStepSubmit(step, args), southAfrican);
  }
  const plan = { insurance: '30-days', insuranceShown: '30-days' };
  await browser.post(handleReviewSubmit, { intent: 'pay', ...plan });
  const { rows } = await platform.pool.query<{ number: string }>(
    'select number from purchase_order order by created_at desc limit 1',
  );
  const together = await applicationsOfOrder(platform.db, rows[0]?.number ?? '');
  expect(together.map(({ kind }) => kind).sort()).toEqual(['insurance', 'visa']);
  return { orderNumber: rows[0]?.number ?? '', together };
}

async function written() {
  platform.sent.length = 0;
  await platform.runJobs(emailJobs(platform));
  return [...platform.sent];
}

describe('an e-visa and an insurance that wait to be paid together', () => {
  it('are written about in one e-mail and one reminder, with both numbers, both prices and what follows for each', async () => {
    const { orderNumber, together } = await submitTogether();
    platform.clock.advance(TELL_AFTER_MS);
    await tellUnpaid(platform);
    const first = await written();
    platform.clock.advance(25 * HOUR);
    await remindUnpaid(platform);
    const reminders = await written();
    platform.clock.advance(25 * HOUR);
    await remindUnpaid(platform);
    expect(await written()).toEqual([]);

    expect([first.length, reminders.length]).toEqual([1, 1]);
    for (const { text, subject } of [...first, ...reminders]) {
      expect(subject).toContain(formatNumber(orderNumber));
      for (const { number } of together) expect(text).toContain(formatNumber(number));
      expect(text).toContain('E-visa fee: $69.00');
      expect(text).toContain('Travel insurance, 30 days: $189.00');
      expect(text).toContain('Total to pay: $283.00');
      expect(text).toContain('we’ll check your answers and send your application');
      expect(text).toContain('insurance certificate');
      const token = /\/en\/my-order\/([\w.-]+)/.exec(text ?? '')?.[1] ?? '';
      expect(await openPayerLink(platform, token, randomBytes(32))).toMatchObject({
        ok: true,
        value: { number: orderNumber },
      });
    }
    expect(reminders[0]?.text).toContain('this is our only reminder');
  });
});
