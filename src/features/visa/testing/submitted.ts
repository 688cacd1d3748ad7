import { applicationByNumber } from '~/features/application/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { orderByApplication } from '~/features/order/store.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import { NOW } from './sample-answers.ts';
import { makeBrowser, southAfrican, storeCountries } from './sample-browser.server.ts';
import { handleNationalitySubmit } from '../wizard/nationality.server.ts';
import { openReview, handleReviewSubmit } from '../wizard/review.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { openWizardStep, submitWizardStep } from './wizard-visits.server.ts';
import { needed } from '../../../../test/needed.ts';

/** Applications that are submitted and unpaid. Call it at the top of a test file. */
export async function submittedApplications() {
  const platform = await makeTestPlatform({ now: NOW });
  const { db } = platform;
  await storeCountries(platform);
  await seedAll(db, [seedInsurance], NOW);

  const payments = quietPayments(quietProvider());

  /** A traveller who has submitted an application and is on its payment page. */
  async function submitted(insurance = 'none') {
    const browser = makeBrowser(platform, { payments });
    await browser.post(handleNationalitySubmit, southAfrican);
    for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
      await browser.post(submitWizardStep(step), southAfrican);
    }
    await browser.post(handleReviewSubmit, { intent: 'pay', insurance, insuranceShown: insurance });
    const { data } = await browser.get(openReview);
    if (typeof data !== 'object' || data === null || !('applicationNumber' in data)) {
      throw new Error('It was not submitted');
    }
    const number = String(data.applicationNumber);
    return { browser, number, path: `/application/change?ref=${number}` };
  }

  const orderOf = async (number: string) => needed(await orderByApplication(db, number));
  const stored = async (number: string) => needed(await applicationByNumber(db, number));

  /** The answers with another name and a faster speed. */
  const changed = {
    ...southAfrican,
    lastName: 'Dlamini',
    processingType: 'express',
    processingTypeShown: 'standard',
  };
  return {
    changed,
    db,
    open: openWizardStep,
    orderOf,
    payments,
    platform,
    stored,
    submitted,
    take: submitWizardStep,
  };
}
