import type { Page } from '@playwright/test';

/** What the payer does in PayPal's window, and its result. */
export type Payer = {
  does?: 'approve' | 'cancel' | 'fail';
  script?: 'answers' | 'is away';
  order?: 'is made' | 'is refused';
  capture?: 'COMPLETED' | 'DECLINED';
  isLive?: boolean;
};

const ORDER_ID = '5O190127TN364715T';

/** Stands in for PayPal's hosts: both generations of its script, and its checkout page. */
export async function simulatePaypal(page: Page, payer: Payer = {}): Promise<void> {
  await page.route(/^https:\/\/[a-z.]*paypal\.com\//, async (route) => {
    const url = new URL(route.request().url());
    const isScript = /^\/(web-sdk\/v6\/core|sdk\/js)$/.test(url.pathname);
    if (!isScript) {
      return route.fulfill({
        contentType: 'text/html',
        body: '<title>PayPal</title><h1>Checkout</h1>',
      });
    }
    if (payer.script === 'is away') return route.abort();
    const body = `const does = ${JSON.stringify(payer.does ?? 'approve')};\n${script}`;
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  await answerCalls(page, payer);
}

/** Answers the specification's PayPal calls in their documented shapes. */
async function answerCalls(page: Page, payer: Payer): Promise<void> {
  const { isLive = false } = payer;
  const order = {
    id: ORDER_ID,
    status: 'CREATED',
    links: [
      { rel: 'approve', href: `https://www.sandbox.paypal.com/checkoutnow?token=${ORDER_ID}` },
    ],
  };
  await page.route('**/api/check-live-paypal', (route) =>
    route.fulfill({ json: { isLive, clientId: 'lab-client' } }),
  );
  await page.route('**/paypal/setup*', (route) =>
    route.fulfill({ json: { clientToken: 'lab-token' } }),
  );
  await page.route('**/paypal/order', (route) =>
    payer.order === 'is refused'
      ? route.fulfill({ status: 503, json: { status: 503, code: 'no_answer' } })
      : route.fulfill({ json: order }),
  );
  await page.route(`**/paypal/order/${ORDER_ID}`, (route) => route.fulfill({ json: order }));
  await page.route(`**/paypal/order/${ORDER_ID}/capture`, (route) =>
    route.fulfill({ json: { id: '3C679366HH908993F', status: payer.capture ?? 'COMPLETED' } }),
  );
}

/** Runs in the page under its security policy, as PayPal's script would. */
const script = `
const label = { 'paypal-button': 'PayPal', 'venmo-button': 'Venmo', 'paypal-basic-card-button': 'Debit or Credit Card' };
for (const [tag, text] of Object.entries(label)) {
  if (customElements.get(tag)) continue;
  customElements.define(tag, class extends HTMLElement {
    connectedCallback() {
      if (this.firstChild) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = text;
      button.style.minHeight = '48px';
      button.style.width = '100%';
      this.append(button);
    }
  });
}
const session = ({ onApprove, onCancel, onError }) => ({
  async start(_options, made) {
    let orderId;
    try {
      ({ orderId } = await made);
    } catch (error) {
      return onError(error);
    }
    if (does === 'cancel') return onCancel({ orderId });
    if (does === 'fail') return onError(new Error('INSTRUMENT_DECLINED'));
    await onApprove({ orderId });
  },
  cancel() {},
  destroy() {},
});
const field = (name) => {
  const input = document.createElement('input');
  input.setAttribute('aria-label', name);
  input.style.minHeight = '50px';
  input.style.width = '100%';
  input.destroy = () => undefined;
  return input;
};
const pay = async (orderId) => {
  if (does === 'fail') throw new Error('INSTRUMENT_DECLINED');
  return { state: does === 'cancel' ? 'canceled' : 'succeeded', data: { orderId } };
};
window.paypal = {
  version: '6.0.0',
  createInstance: async () => ({
    createPayPalOneTimePaymentSession: session,
    createVenmoOneTimePaymentSession: session,
    createPayPalGuestOneTimePaymentSession: session,
    createCardFieldsOneTimePaymentSession: () => ({
      createCardFieldsComponent: ({ type }) => field(type),
      on: async () => undefined,
      update() {},
      destroy() {},
      submit: pay,
    }),
  }),
  HostedFields: {
    isEligible: () => true,
    async render({ createOrder, fields }) {
      for (const [name, { selector }] of Object.entries(fields)) {
        document.querySelector(selector).append(field(name));
      }
      return { submit: async () => (await pay(await createOrder())).data, teardown() {} };
    },
  },
};
`;
