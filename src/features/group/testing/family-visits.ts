import { beforeEach, expect } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { toDecimal, type Money } from '~/base/money.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { handleFormSubmit } from '~/features/insurance/form/handle-form-submit.server.ts';
import type { InsuranceAnswers } from '~/features/insurance/rules/answers.ts';
import { typedInsuranceAnswers } from '~/features/insurance/rules/typed.ts';
import { completeAnswers as completeInsurance } from '~/features/insurance/testing/sample-answers.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import type { VisaAnswers } from '~/features/visa/rules/answers.ts';
import type { StepId } from '~/features/visa/rules/step-ids.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { completeAnswers, countries, NOW } from '~/features/visa/testing/sample-answers.ts';
import {
  controls,
  makeBrowser,
  storeCountries,
} from '~/features/visa/testing/sample-browser.server.ts';
import { submitWizardStep } from '~/features/visa/testing/wizard-visits.server.ts';
import { handleNationalitySubmit } from '~/features/visa/wizard/nationality.server.ts';
import { handleTravellers, openTravellers } from '../travellers.server.ts';
import type { TravellersView } from '../travellers-view.ts';

export type Browser = ReturnType<typeof makeBrowser>;

/** A page of the wizard for the traveller at a position. */
export const at = (position: number, url = '/application') => `${url}?traveller=${position}`;

/** A person whose name has letters only; the passport number is derived from it. */
export const person = (
  name: string,
  terms = countries.southAfrica,
  changes: VisaAnswers = {},
): VisaAnswers => ({
  ...completeAnswers(terms),
  firstName: name,
  passportNumber: `P${name.toUpperCase()}7`,
  ...changes,
});
export const child = { dateOfBirth: '2015-02-03' };

/** A service with families in its wizard, without parties and their photos left from other tests. Call it at the top of a test file. */
export async function familyVisits() {
  const platform = await makeTestPlatform({ now: NOW });
  await storeCountries(platform);
  await seedAll(platform.db, [seedInsurance], NOW);
  const payments = quietPayments(quietProvider());

  beforeEach(async () => {
    await platform.pool.query('delete from insurance_photo where draft_id is not null');
    await platform.pool.query('delete from draft');
    await platform.pool.query('delete from draft_party');
  });

  const beginGroup = async (
    answers: VisaAnswers,
    browser = makeBrowser(platform, { payments }),
  ) => {
    const sent = await browser.post(handleNationalitySubmit, {
      ...controls(answers),
      party: 'group',
    });
    expect(sent).toMatchObject({ status: 303, location: expect.stringContaining('traveller=1') });
    await answerRest(browser, answers, 1);
    return browser;
  };

  /** Answers all steps after the nationality. */
  async function answerRest(browser: Browser, answers: VisaAnswers, position: number) {
    const fields = controls(answers);
    const isIndian = answers.countryId === 'IND';
    const before: StepId[] = isIndian ? ['supporting_document'] : ['what_it_allows'];
    const after: StepId[] = isIndian ? ['prerequisites', 'details'] : ['details'];
    for (const step of [...before, 'arrival' as const, ...after]) {
      const sent = await browser.post(submitWizardStep(step), fields, at(position));
      expect(sent, `${step} ${JSON.stringify(sent.data)}`).toMatchObject({ status: 303 });
    }
  }

  /** Adds a traveller; returns their position. */
  async function add(browser: Browser): Promise<number> {
    const { location } = await browser.post(handleTravellers, { intent: 'add' });
    return Number(new URL(location ?? '', 'http://lale.test').searchParams.get('traveller'));
  }

  /** Adds somebody who is insured without an e-visa, from 12 to 15 December; returns their position. */
  async function addInsured(
    browser: Browser,
    firstName: string,
    changes: InsuranceAnswers = {},
  ): Promise<number> {
    const { location } = await browser.post(handleTravellers, { intent: 'insure' });
    const position = Number(
      new URL(location ?? '', 'http://lale.test').searchParams.get('traveller'),
    );
    await answerInsured(browser, position, firstName, changes);
    return position;
  }

  /** Answers the page of somebody who is insured without an e-visa. */
  async function answerInsured(
    browser: Browser,
    position: number,
    firstName: string,
    changes: InsuranceAnswers = {},
  ) {
    const answers = typedInsuranceAnswers({
      ...completeInsurance,
      firstName,
      nationality: 'DEU',
      passportNumber: `P${firstName.toUpperCase()}7`,
      returnDate: '2026-12-15',
      ...changes,
    });
    const sent = await browser.post(
      handleFormSubmit,
      { intent: 'next', ...answers },
      at(position, '/insurance'),
    );
    expect(sent, JSON.stringify(sent.data)).toMatchObject({
      status: 303,
      location: '/application/travellers',
    });
  }

  async function addAnswered(browser: Browser, answers: VisaAnswers): Promise<number> {
    const position = await add(browser);
    await browser.post(handleNationalitySubmit, controls(answers), at(position));
    await answerRest(browser, answers, position);
    return position;
  }

  async function listOf(browser: Browser): Promise<TravellersView> {
    const seen: Awaited<ReturnType<typeof openTravellers>>[] = [];
    await browser.get(
      async (args) => void seen.push(await openTravellers(args)),
      '/application/travellers',
    );
    const [loaded] = seen;
    if (loaded?.kind !== 'travellers') throw new Error('The party is submitted');
    return loaded.view;
  }

  const pay = (browser: Browser, total: Money, fields: Record<string, string> = {}) =>
    browser.post(handleTravellers, { intent: 'pay', totalAmount: toDecimal(total), ...fields });

  const count = async (table: string): Promise<number> => {
    const { rows } = await platform.pool.query<{ n: number }>(
      `select count(*)::int n from ${table}`,
    );
    return rows[0]?.n ?? 0;
  };

  /** The order that a browser's party was submitted as. */
  async function orderOf(browser: Browser): Promise<string> {
    const { data } = await browser.get(openTravellers, '/application/travellers');
    return typeof data === 'object' && data !== null && 'orderNumber' in data
      ? String(data.orderNumber)
      : '';
  }

  /** Who is in an order: kind, name, country and passport of each application. */
  async function peopleIn(orderNumber: string) {
    const stored = await applicationsByOrder(platform.db, orderNumber);
    return Promise.all(
      stored
        .filter(({ kind }) => kind === 'visa')
        .map(async ({ id, firstName, countryCode }) => {
          const details = await readVisaDetails(platform.db, platform.sealer, id);
          return [firstName, countryCode, details?.passportNumber];
        }),
    );
  }

  return {
    add,
    addAnswered,
    addInsured,
    answerInsured,
    answerRest,
    beginGroup,
    count,
    listOf,
    orderOf,
    pay,
    payments,
    peopleIn,
    platform,
  };
}
