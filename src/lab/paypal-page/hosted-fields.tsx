import {
  PayPalHostedField,
  PayPalHostedFieldsProvider,
  PayPalScriptProvider,
  usePayPalHostedFields,
  usePayPalScriptReducer,
} from '@paypal/react-paypal-js';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button } from '~/ui/button.tsx';
import { FormActions } from '~/ui/layout.tsx';
import {
  ForeignField,
  useDelayed,
  type PaymentCalls,
  type PaypalSetup,
} from './use-paypal-payment.tsx';
import { BUTTON_RENDER_DELAY_MS, turkish } from './specification.ts';

/** The box into which PayPal inserts its control. */
const FOREIGN = 'h-[50px] w-full rounded-field border border-edge bg-paper px-3.5';

/** Hosted fields exist in version 5 of the script only. */
export default function HostedFields({
  setup,
  calls,
}: {
  setup: PaypalSetup;
  calls: PaymentCalls;
}) {
  return (
    <PayPalScriptProvider
      options={{
        clientId: setup.clientId,
        components: 'hosted-fields',
        currency: 'USD',
        intent: 'capture',
        dataClientToken: setup.clientToken,
        environment: setup.isLive ? 'production' : 'sandbox',
      }}
    >
      <Fields calls={calls} />
    </PayPalScriptProvider>
  );
}

function Fields({ calls }: { calls: PaymentCalls }) {
  const { t } = useTranslation('lab');
  const [{ isResolved, isRejected }] = usePayPalScriptReducer();
  const isTime = useDelayed(isResolved, BUTTON_RENDER_DELAY_MS);

  const { setSdk } = calls;
  // An effect event: called when the script changes, not when texts do.
  const tell = useEffectEvent(setSdk);
  useEffect(
    () => tell(isRejected ? 'failed' : isResolved ? 'ready' : 'loading'),
    [isResolved, isRejected],
  );

  if (!isTime) return null;
  return (
    <PayPalHostedFieldsProvider
      createOrder={() => calls.createOrder()}
      notEligibleError={<p lang="tr">{turkish.buttonsMissing}</p>}
    >
      <div className="form-fields">
        <ForeignField label={t('card.number')}>
          <PayPalHostedField
            className={FOREIGN}
            hostedFieldType="number"
            id="hosted-number"
            options={{ selector: '#hosted-number' }}
          />
        </ForeignField>
        <div className="field-row">
          <ForeignField label={t('card.expiry')}>
            <PayPalHostedField
              className={FOREIGN}
              hostedFieldType="expirationDate"
              id="hosted-expiry"
              options={{ selector: '#hosted-expiry', placeholder: 'MM/YY' }}
            />
          </ForeignField>
          <ForeignField label={t('card.cvv')}>
            <PayPalHostedField
              className={FOREIGN}
              hostedFieldType="cvv"
              id="hosted-cvv"
              options={{ selector: '#hosted-cvv' }}
            />
          </ForeignField>
        </div>
        <PayButton calls={calls} />
      </div>
    </PayPalHostedFieldsProvider>
  );
}

function PayButton({ calls }: { calls: PaymentCalls }) {
  const { t } = useTranslation('lab');
  const { cardFields } = usePayPalHostedFields();
  const [isPaying, setPaying] = useState(false);

  async function pay() {
    if (!cardFields) return;
    setPaying(true);
    try {
      const { orderId } = await cardFields.submit();
      await calls.approve(orderId);
    } catch (error) {
      calls.fail(error);
    }
    setPaying(false);
  }

  return (
    <FormActions>
      <Button busy={isPaying} disabled={!cardFields} onClick={() => void pay()} type="button">
        {t('pay')}
      </Button>
    </FormActions>
  );
}
