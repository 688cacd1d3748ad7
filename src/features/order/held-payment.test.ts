import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobHandlers } from '~/app/jobs.server.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { languages } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import type { PaymentEvent } from '~/features/payment/machine.ts';
import { settle } from '~/features/payment/settlement/settle.server.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { makeApplication } from '../../../test/make.ts';

const platform = await makeTestPlatform();
const payments = makePayments(platform);
const { db, sent } = platform;

/** An order whose payment by PayPal is held, and what else PayPal says of it. */
async function heldPayment(language = 'en') {
  const { order } = await makeApplication(platform, { paid: false, language });
  const attemptId = await db.transaction((tx) =>
    storeAttempt(tx, order, platform.now(), { provider: 'paypal' }),
  );
  const say = async (event: PaymentEvent) => {
    const said = {
      eventId: randomUUID(),
      attemptId,
      event,
      amount: usd(94_00),
      providerReference: null,
      captureId: event === 'capture' ? `C-${attemptId}` : null,
      reason: null,
      payload: {},
    };
    await settle(platform, 'paypal', said, payments.onPaid);
    sent.length = 0;
    await platform.runJobs(jobHandlers(platform, payments));
    return sent.map(({ subject, text }) => ({ subject, text }));
  };
  return { say };
}

describe('a payment that its provider holds', () => {
  it.each(languages.map(({ code }) => code))(
    'is told to the payer once, by an email without a way to pay (%s)',
    async (language) => {
      const { say } = await heldPayment(language);
      const [email, ...others] = await say('hold');
      expect(others).toEqual([]);
      expect(email?.text).toContain('94');
      expect(email?.text).not.toContain('/my-order/');
      expect(await say('hold')).toEqual([]);
    },
  );

  it('says that it is being confirmed and is not to be paid again', async () => {
    const { say } = await heldPayment();
    const [email] = await say('hold');
    expect(email?.subject).toMatch(/^We’re confirming your payment: TRV /);
    expect(email?.text).toContain('Do not pay again');
    expect(email?.text).toContain('can take hours, sometimes days');
  });

  it('and declines leads the payer back to the payment by an email', async () => {
    const { say } = await heldPayment();
    await say('hold');
    const [email] = await say('decline');
    expect(email?.subject).toMatch(/^Not paid yet/);
    expect(email?.text).toContain('/my-order/');
  });

  it('and captures is received, and nothing else is written', async () => {
    const { say } = await heldPayment();
    await say('hold');
    expect((await say('capture')).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^We’ve received your application/),
    ]);
  });
});
