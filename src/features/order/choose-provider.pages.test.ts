import { beforeAll, describe, expect, it } from 'vitest';
import { ok, refused } from '~/base/outcome.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { adultForm, formRequest, visitor } from '~/features/insurance/testing/visit.ts';
import { MAX_FAILED_STARTS } from '~/features/payment/provider.ts';
import { noteFailedStart, noteStart } from '~/features/payment/providers/outage.server.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/refunds.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import {
  controls,
  makeBrowser,
  southAfrican,
} from '~/features/visa/testing/sample-browser.server.ts';
import { submitWizardStep } from '~/features/visa/testing/wizard-visits.server.ts';
import { handleNationalitySubmit } from '~/features/visa/wizard/nationality.server.ts';
import { handleReviewSubmit, openReview } from '~/features/visa/wizard/review.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { orderByApplication, orderByNumber } from './store.server.ts';
import { makeApplication } from '../../../test/make.ts';
import type { Provider } from '~/features/payment/provider.ts';
import { settle } from '~/features/payment/settlement/settle.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { markPaid } from './pay.server.ts';

const platform = await makeTestPlatform({ now: NOW });
beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], NOW));

/** Whether the double of PayPal answers. */
const paypal = { answers: true };

const partner = (name: ProviderName) =>
  quietProvider({
    name,
    begin: async ({ id }) =>
      name !== 'paypal' || paypal.answers
        ? ok({
            providerReference: `${name}-${id}`,
            checkoutRedirect: { kind: 'link', url: `https://${name}.example/checkout` },
          })
        : refused({ code: 'no_answer', message: 'Payment page is not available' }),
  });
const appWith = (...names: ProviderName[]) =>
  makeTestApp(platform, quietPayments(...names.map(partner)));

type Visit = ReturnType<ReturnType<typeof visitor>>;

const answers = controls(southAfrican);

async function visaReview(visit: Visit): Promise<string> {
  await visit('/application', formRequest({ ...answers, intent: 'next' }));
  for (const step of ['what-it-allows', 'arrival', 'details']) {
    await visit(`/application/${step}`, formRequest({ ...answers, intent: 'next' }));
  }
  return (await visit('/application/review')).html;
}

async function groupPage(visit: Visit): Promise<string> {
  await visaReview(visit);
  await visit('/application/review', formRequest({ intent: 'add' }));
  await visit('/application/travellers', formRequest({ intent: 'remove:2' }));
  return (await visit('/application/travellers')).html;
}

async function insuranceReview(visit: Visit): Promise<string> {
  await visit('/insurance', formRequest(adultForm));
  return (await visit('/insurance/review')).html;
}

const statusPage = async (visit: Visit): Promise<string> =>
  (await visit(`/status?ref=${(await makeApplication(platform, { paid: false })).number}`)).html;

async function unpaidVisa(visit: Visit): Promise<string> {
  await visaReview(visit);
  await visit('/application/review', formRequest({ intent: 'pay', totalAmount: '94.00' }));
  return (await visit('/application/review')).html;
}

async function unpaidInsurance(visit: Visit): Promise<string> {
  await insuranceReview(visit);
  const { location } = await visit('/insurance/review', formRequest({ intent: 'pay' }));
  return (await visit(location)).html;
}

const pages = { visaReview, groupPage, insuranceReview, statusPage, unpaidVisa, unpaidInsurance };

/** The words of every button that pays, in their order, with the provider that it names. */
const payButtons = (html: string) =>
  [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)]
    .map(([, attributes = '', inside = '']) => [
      inside.replaceAll(/<[^>]*>/g, ''),
      /name="provider"/.test(attributes) ? /value="(\w+)"/.exec(attributes)?.[1] : null,
    ])
    .filter(([words]) => /[Pp]ay.*\$/.test(words ?? ''));

describe.each(Object.entries(pages))('the pay button: %s', (_, open) => {
  it('says that it pays by card and stands before a button for PayPal, with the same price, where card and PayPal are configured', async () => {
    const shown = payButtons(await open(visitor(appWith('card', 'paypal', 'stripe'))()));
    expect(shown).toHaveLength(2);
    const [[first, at] = [], [second, other] = []] = shown;
    const price = /\$\S*/.exec(first ?? '')?.[0];
    expect(first).toMatch(/ by card$/);
    expect([at, second, other]).toEqual([null, `Pay ${price} with PayPal`, 'paypal']);
  });

  it.each<{ names: ProviderName[] }>([
    { names: ['card'] },
    { names: ['paypal'] },
    { names: ['card', 'stripe'] },
  ])('stands alone with $names', async ({ names }) => {
    const shown = payButtons(await open(visitor(appWith(...names))()));
    expect(shown).toHaveLength(1);
    expect(shown[0]?.[1]).toBeNull();
  });

  it('leads to PayPal while cards are down, beside a button for a card', async () => {
    for (let failure = 0; failure < MAX_FAILED_STARTS; failure++)
      await noteFailedStart(platform, 'card');
    try {
      const shown = payButtons(await open(visitor(appWith('card', 'paypal'))()));
      expect(shown.map(([, provider]) => provider)).toEqual([null, 'card']);
      expect(shown[0]?.[0]).toMatch(/ with PayPal$/);
      expect(shown[1]?.[0]).toMatch(/^Pay \$\S+ by card$/);
    } finally {
      await noteStart(platform, 'card');
    }
  });
});

describe('the provider of the pressed button', () => {
  const attemptsOf = async (number: string) => {
    const order = await orderByApplication(platform.db, number);
    const attempts = await attemptsByReference(platform.db, order?.number ?? number);
    return attempts.map(({ provider }) => provider);
  };
  const numberIn = (html: string) => /\/status\?ref=(\w+)/.exec(html)?.[1] ?? '';

  it.each([
    ['paypal', ['paypal']],
    ['card', ['card']],
    ['stripe', ['card']],
    ['https://elsewhere.example', ['card']],
  ])('%s: the visa is paid at %j', async (provider, expected) => {
    const visit = visitor(appWith('card', 'paypal'))();
    await visaReview(visit);
    const pressed = await visit(
      '/application/review',
      formRequest({ provider, totalAmount: '94.00' }),
    );
    expect(pressed.location).toMatch(/^\/gpay-checkout/);
    const { html } = await visit('/application/review');
    expect(await attemptsOf(numberIn(html))).toEqual(expected);
  });

  it.each([
    ['paypal', 'Pay $149.00 with PayPal', ['paypal']],
    ['stripe', 'Pay $149.00 by card', ['card']],
  ])('%s: the insurance is paid by "%s", at %j', async (provider, words, expected) => {
    const visit = visitor(appWith('card', 'paypal'))();
    await insuranceReview(visit);
    const { location } = await visit('/insurance/review', formRequest({ provider }));
    const [first] = payButtons((await visit(location)).html);
    expect(first?.[0]).toBe(words);
    const pressed = await visit(location, formRequest(first?.[1] ? { provider: first[1] } : {}));
    expect(pressed.location).toMatch(/^\/gpay-checkout/);
    const number = new URL(location, 'http://lale.test').searchParams.get('ref') ?? '';
    expect(await attemptsOf(number)).toEqual(expected);
  });

  it('PayPal that does not open is tried again, not the card, and takes no retry of the card away', async () => {
    const payments = quietPayments(partner('card'), partner('paypal'));
    const browser = makeBrowser(platform, { payments });
    await browser.post(handleNationalitySubmit, southAfrican);
    for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
      await browser.post(submitWizardStep(step), southAfrican);
    }
    paypal.answers = false;
    try {
      const pressed = { provider: 'paypal', scripts: 'yes', totalAmount: '94.00' };
      expect((await browser.post(handleReviewSubmit, pressed)).data).toMatchObject({
        payment: { kind: 'failed', provider: 'paypal', other: 'card', retries: 0 },
      });
    } finally {
      paypal.answers = true;
      await noteStart(platform, 'paypal');
    }
    expect((await browser.get(openReview)).data).toMatchObject({
      isStartFailed: false,
      other: 'paypal',
    });
  });

  it('an unpaid order is paid at PayPal from the status page, and one not configured is the first', async () => {
    const app = appWith('card', 'paypal');
    const visit = visitor(app)();
    for (const [provider, expected] of [
      ['paypal', ['paypal']],
      ['stripe', ['card']],
    ] as const) {
      const { order } = await makeApplication(platform, { paid: false });
      const pressed = await visit('/pay', formRequest({ order: order.number, provider }));
      expect(pressed.location).toMatch(/^\/gpay-checkout/);
      expect(await attemptsOf(order.number)).toEqual(expected);
    }
  });
});

describe('what pages promise', () => {
  it.each<[ProviderName[], string]>([
    [['card', 'paypal'], 'and a card or PayPal'],
    [['stripe'], 'and a card'],
    [['paypal'], 'and PayPal'],
  ])('with %j is how they take money', async (names, means) => {
    const visit = visitor(appWith(...names))();
    expect((await visit('/')).html).toContain(`${means} ready`);
    expect((await visit('/faq')).html).toContain(`${means}.`);
  });
});

describe('what is said before paying', () => {
  it('is true of the ways that are configured', async () => {
    for (const page of [visaReview, groupPage, insuranceReview]) {
      expect(await page(visitor(appWith('paypal'))())).toContain('You pay on PayPal’s page');
      expect(await page(visitor(appWith('card'))())).toContain('You pay by card on our');
      expect(await page(visitor(appWith('card', 'paypal'))())).toContain(
        'You pay by card or PayPal on our',
      );
    }
  });

  it('names the insurer’s terms where a group is insured', async () => {
    const visit = visitor(appWith('card'))();
    expect(await groupPage(visit)).not.toContain('insurer’s terms');
    await visit(
      '/application/travellers',
      formRequest({ intent: 'quote', 'insurance-1': '30-days' }),
    );
    const { html } = await visit('/application/travellers');
    expect(html).toMatch(
      /accept the .*<a[^>]*href="[^"]*\/insurance\/terms[^"]*"[^>]*>insurer’s terms/,
    );
  });
});

describe('fallback provider', async () => {
  const platform = await makeTestPlatform();
  const payer = newBrowser(platform);
  /** Whether each provider's double answers. */
  const answers = { card: true, paypal: true };

  const partner = (name: 'card' | 'paypal'): Provider =>
    quietProvider({
      name,
      begin: async ({ id }) =>
        answers[name]
          ? ok({
              providerReference: `${name}-${id}`,
              checkoutRedirect: { kind: 'link', url: `https://${name}.example/checkout?id=${id}` },
            })
          : refused({ code: 'no_answer', message: 'Payment page is not available' }),
    });

  const onPaid = async (...[tx, paid]: Parameters<typeof markPaid>) =>
    void (await markPaid(tx, paid));
  const app = makeTestApp(platform, {
    providers: [partner('card'), partner('paypal')],
    onPaid,
    onRefunded: async () => undefined,
  });

  async function order() {
    answers.card = true;
    answers.paypal = true;
    // Ends outages that other tests have caused.
    await noteStart(platform, 'card');
    await noteStart(platform, 'paypal');
    return (await makeApplication(platform, { paid: false, sessionHash: payer.sessionHash })).order;
  }

  async function press(number: string, provider?: string): Promise<string> {
    // The last start decides what is offered, so no two may have the same time.
    platform.clock.advance(1000);
    const answer = await app.request('/pay', {
      method: 'POST',
      headers: { origin: 'http://localhost', cookie: payer.cookie },
      body: new URLSearchParams({ order: number, ...(provider ? { provider } : {}) }),
    });
    return answer.headers.get('location') ?? String(answer.status);
  }

  const ask = (path: string) => app.request(path, { headers: { cookie: payer.cookie } });

  const read = async (path: string): Promise<string> =>
    ((await (await ask(path)).text()).split('<script id="page-data"')[0] ?? '').replaceAll(
      '<!-- -->',
      '',
    );

  const paypalButton = /name="provider" value="paypal"/;

  const attemptAt = async (number: string, provider: string) => {
    const found = (await attemptsByReference(platform.db, number)).findLast(
      (one) => one.provider === provider,
    );
    if (!found) throw new Error(`No attempt at ${provider}`);
    return found;
  };

  const settleAt = async (
    number: string,
    provider: 'card' | 'paypal',
    event: 'capture' | 'decline' | 'cancel',
  ) => {
    const { id, amountMinor } = await attemptAt(number, provider);
    await settle(
      platform,
      provider,
      {
        eventId: `${event}-${id}`,
        attemptId: id,
        event,
        amount: { minor: amountMinor, currency: 'USD' },
        providerReference: null,
        captureId: event === 'capture' ? `capture-${id}` : null,
        reason: event === 'decline' ? 'card_declined' : null,
        payload: {},
      },
      onPaid,
    );
    return id;
  };

  describe('when the card page cannot be opened', () => {
    it('the screen with the retries offers PayPal, also after the last of them', async () => {
      const { number } = await order();
      answers.card = false;
      const address = await press(number);
      expect(address).toBe(`/payment-cancel?order=${number}`);
      expect(await read(address)).toMatch(paypalButton);
      for (let retry = 0; retry < 3; retry++) await press(number);
      const html = await read(address);
      expect(html).toContain('Retry attempts: 3 of 3');
      expect(html.match(/<button[^>]* disabled=""/g)).toHaveLength(2);
      expect(html).toMatch(/Pay with PayPal instead/);
      expect(await press(number, 'paypal')).toMatch(/^\/gpay-checkout\?data=/);
    });

    it('PayPal opens by a page of ours, whose policy lets no form leave', async () => {
      const { number } = await order();
      const address = await press(number, 'paypal');
      const answer = await ask(address);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/form-action 'self'(;|$)/);
      const { id } = await attemptAt(number, 'paypal');
      const html = await answer.text();
      expect(html).toContain(`href="https://paypal.example/checkout?id=${id}"`);
      expect(html).toContain(`1;url=https://paypal.example/checkout?id=${id}`);
    });

    it('a PayPal that cannot be opened either takes no retry of the card away', async () => {
      const { number } = await order();
      answers.card = false;
      answers.paypal = false;
      await press(number);
      for (let count = 0; count < 3; count++) await press(number, 'paypal');
      const html = await read(`/payment-cancel?order=${number}`);
      expect(html).toContain('The payment page did not open');
      expect(html).toContain('Pay by card instead');
      expect((await orderByNumber(platform.db, number))?.failedStarts).toBe(1);
      answers.card = true;
      expect(await press(number)).toMatch(/^\/gpay-checkout/);
    });

    it('an unknown provider is the first one', async () => {
      const { number } = await order();
      await press(number, 'https://elsewhere.example');
      expect(
        (await attemptsByReference(platform.db, number)).map(({ provider }) => provider),
      ).toEqual(['card']);
    });
  });

  describe('two providers for one order', () => {
    it('a declined card can be followed by PayPal, and by the card again', async () => {
      const { number } = await order();
      await press(number);
      const id = await settleAt(number, 'card', 'decline');
      const html = await read(`/payment-cancel?order=${number}&payment=${id}`);
      expect(html).toContain('Payment Declined');
      expect(html).toMatch(/name="provider" value="card"/);
      expect(html).toMatch(paypalButton);
      expect(await press(number, 'paypal')).toMatch(/^\/gpay-checkout/);
      await settleAt(number, 'paypal', 'capture');
      expect((await orderByNumber(platform.db, number))?.paidAt).not.toBeNull();
    });

    it('cancelled at PayPal, Try Again is PayPal again, and the card is the other way', async () => {
      const { number } = await order();
      await press(number, 'paypal');
      const id = await settleAt(number, 'paypal', 'cancel');
      const html = await read(`/payment-cancel?order=${number}&payment=${id}`);
      expect(html).toContain('Payment Cancelled');
      expect(html).toMatch(/name="provider" value="paypal"[^]*?Try Again/);
      expect(html).toMatch(/name="provider" value="card"[^]*?Pay by card instead/);
    });

    it('both open and both captured: the second is given back and its window says so', async () => {
      const { number } = await order();
      const first = await press(number);
      await press(number, 'paypal');
      await settleAt(number, 'paypal', 'capture');
      const over = (await ask(first)).headers.get('location') ?? '';
      expect(await read(over)).toContain('Paid in another window');
      await settleAt(number, 'card', 'capture');
      expect((await attemptAt(number, 'card')).state).toBe('captured_late');
      expect(await read(over)).toContain('You paid twice');
    });
  });
});
