import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { CancelForm } from './card-entry.tsx';
import { cardFields, type Card } from './card-form.ts';

/** The simulated bank's confirmation (3-D Secure). The published test number is sent again in the form. */
export function ChallengeForm({ orderRef, card }: { orderRef: string; card: Card }) {
  const { t } = useTranslation('gateway');
  return (
    <>
      <p className="mb-4">{t('challenge.text', { last4: card.cardNumber.slice(-4) })}</p>
      <Form className="gateway-form" method="post" reloadDocument>
        <input name="order" type="hidden" value={orderRef} />
        {cardFields.map((field) => (
          <input key={field} name={field} type="hidden" value={card[field]} />
        ))}
        <button className="gateway-pay" name="intent" type="submit" value="confirm">
          {t('challenge.confirm')}
        </button>
      </Form>
      <CancelForm orderRef={orderRef} />
    </>
  );
}
