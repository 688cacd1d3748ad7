import {
  PayPalCardCvvField,
  PayPalCardExpiryField,
  PayPalCardFieldsProvider,
  PayPalCardNameField,
  PayPalCardNumberField,
  PayPalProvider,
  usePayPalCardFieldsOneTimePaymentSession,
} from '@paypal/react-paypal-js/sdk-v6';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import {
  ForeignField,
  useDelayed,
  type PaymentCalls,
  type PaypalSetup,
  useScriptStatus,
} from './use-paypal-payment.tsx';
import { BUTTON_RENDER_DELAY_MS } from './specification.ts';

/** The box into which PayPal inserts its control. */
const FOREIGN = 'min-h-[50px] w-full';

/** PayPal's card fields, version 6: each is a frame of PayPal's, so that no digit is typed into our page. */
export default function CardFields({ setup, calls }: { setup: PaypalSetup; calls: PaymentCalls }) {
  return (
    <PayPalProvider
      clientToken={setup.clientToken}
      components={['card-fields']}
      environment={setup.isLive ? 'production' : 'sandbox'}
      pageType="checkout"
    >
      <PayPalCardFieldsProvider>
        <Fields calls={calls} />
      </PayPalCardFieldsProvider>
    </PayPalProvider>
  );
}

function Fields({ calls }: { calls: PaymentCalls }) {
  const { t } = useTranslation('lab');
  const isReady = useScriptStatus(calls) === 'ready';
  const isTime = useDelayed(isReady, BUTTON_RENDER_DELAY_MS);
  const { submit, submitResponse, error } = usePayPalCardFieldsOneTimePaymentSession();
  const [isPaying, setPaying] = useState(false);

  const tellAnswer = useEffectEvent(({ state, data }: NonNullable<typeof submitResponse>) => {
    if (state === 'succeeded') void calls.approve(data.orderId).finally(() => setPaying(false));
    else {
      setPaying(false);
      if (state === 'canceled') calls.cancel();
      else calls.fail(new Error(data.message));
    }
  });
  useEffect(() => {
    if (submitResponse) tellAnswer(submitResponse);
  }, [submitResponse]);

  const tellError = useEffectEvent((found: Error) => {
    if (!isPaying) return;
    setPaying(false);
    calls.fail(found);
  });
  useEffect(() => {
    if (error) tellError(error);
  }, [error]);

  if (!isReady) return null;
  return (
    <div className="form-fields">
      <ForeignField label={t('card.name')}>
        <PayPalCardNameField ariaLabel={t('card.name')} containerClassName={FOREIGN} />
      </ForeignField>
      <ForeignField label={t('card.number')}>
        <PayPalCardNumberField ariaLabel={t('card.number')} containerClassName={FOREIGN} />
      </ForeignField>
      <div className="field-row">
        <ForeignField label={t('card.expiry')}>
          <PayPalCardExpiryField ariaLabel={t('card.expiry')} containerClassName={FOREIGN} />
        </ForeignField>
        <ForeignField label={t('card.cvv')}>
          <PayPalCardCvvField ariaLabel={t('card.cvv')} containerClassName={FOREIGN} />
        </ForeignField>
      </div>
      {isTime ? (
        <FormActions>
          <Button
            busy={isPaying}
            onClick={() => {
              setPaying(true);
              void submit(calls.createOrder());
            }}
            type="button"
          >
            {t('pay')}
          </Button>
        </FormActions>
      ) : null}
    </div>
  );
}
