import { toDecimal, usd } from '~/base/money.ts';

/** The amount of every test payment: a 7-day insurance at 114.00 USD, as the customer's specification has it. */
export const LAB_AMOUNT = usd(11_400);

/** A call that was not answered with 2xx; `status` 0 means no response. The message is the server's, if it sent one. */
export class CallError extends Error {
  override name = 'CallError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type PaypalOrder = { id: string; status: string; approveUrl: string | null };
type LiveCheck = { isLive: boolean; clientId: string | null };
type Capture = { status: string; id: string; message: string | null };

/**
 * The specification's calls, from the browser.
 * @throws A `CallError`, each of them.
 */
export const paypalCalls = {
  /** The server takes the amount from the order and refuses any other. */
  async createOrder({
    amount = toDecimal(LAB_AMOUNT),
    orderReference = '',
  } = {}): Promise<PaypalOrder> {
    const body = { amount, currency: 'USD', intent: 'CAPTURE' };
    return orderOf(
      await call('/paypal/order', orderReference ? { ...body, orderReference } : body),
    );
  },

  async readOrder(id: string): Promise<PaypalOrder> {
    return orderOf(await call(`/paypal/order/${encodeURIComponent(id)}`));
  },

  async capture(id: string): Promise<Capture> {
    const answer = await call(`/paypal/order/${encodeURIComponent(id)}/capture`, null);
    return { status: text(answer, 'status'), id: text(answer, 'id'), message: messageOf(answer) };
  },

  /** The two generations of PayPal's script need different tokens. */
  async clientToken(shows: 'card-fields' | 'hosted-fields' | 'redirect'): Promise<string> {
    const use = shows === 'hosted-fields' ? '?sdk=fields' : '';
    return text(await call(`/paypal/setup${use}`), 'clientToken');
  },

  async checkLive(): Promise<LiveCheck> {
    const answer = await call('/api/check-live-paypal');
    return { isLive: answer.isLive === true, clientId: text(answer, 'clientId') || null };
  },
};

type Answer = Record<string, unknown>;

/** GET without a body; POST with one, where `null` means an empty one. */
async function call(path: string, body?: object | null): Promise<Answer> {
  const init: RequestInit = { credentials: 'same-origin' };
  if (body !== undefined) init.method = 'POST';
  if (body) {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const response = await fetch(path, init).catch(() => null);
  if (!response) throw new CallError(0, '');
  const answer: unknown = await response.json().catch(() => null);
  const read = isAnswer(answer) ? answer : {};
  if (!response.ok) throw new CallError(response.status, messageOf(read) ?? '');
  return read;
}

const isAnswer = (answer: unknown): answer is Answer =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer);

function text(answer: Answer, key: string): string {
  const value = answer[key];
  return typeof value === 'string' ? value : '';
}

const messageOf = (answer: Answer): string | null =>
  text(answer, 'message') || text(answer, 'detail') || text(answer, 'error') || null;

function orderOf(answer: Answer): PaypalOrder {
  const links = Array.isArray(answer.links) ? answer.links.filter(isAnswer) : [];
  const link = links.find((one) => /^(approve|payer-action)$/.test(text(one, 'rel')));
  const approveUrl = link ? text(link, 'href') : '';
  return {
    id: text(answer, 'id'),
    status: text(answer, 'status'),
    approveUrl: /^https?:\/\//.test(approveUrl) ? approveUrl : null,
  };
}

/** PayPal's page for an order, with the variant's parameters. */
export function withParameters(address: string, parameters: Record<string, string> = {}): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
