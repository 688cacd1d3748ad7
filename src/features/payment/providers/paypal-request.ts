import { defaultLanguage, factsOf, isLanguage } from '~/base/languages.ts';
import { toDecimal, type Money } from '~/base/money.ts';
import type { AttemptToBegin } from '../provider.ts';
import { refundMark } from './paypal-order.ts';

const paypalMoney = (amount: Money) => ({
  currency_code: amount.currency,
  value: toDecimal(amount),
});

/** The order to create (Orders v2). No name, address or email is sent: payers enter theirs at PayPal. */
export const orderRequest = (attempt: AttemptToBegin) => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: attempt.id,
      custom_id: attempt.id,
      description: attempt.description.slice(0, 127),
      amount: paypalMoney(attempt.amount),
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        brand_name: 'Lale',
        locale: factsOf(isLanguage(attempt.language) ? attempt.language : defaultLanguage).paypal,
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        return_url: attempt.returnUrl,
        cancel_url: attempt.cancelUrl,
      },
    },
  },
});

export const refundRequest = (refundId: string, amount: Money) => ({
  amount: paypalMoney(amount),
  custom_id: refundMark(refundId),
});
