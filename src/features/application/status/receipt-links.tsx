import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { BirthDateForm } from './birth-date-form.tsx';
import type { RefusedDate, StatusView } from './status-view.ts';

/** The receipt and the credit notes, each opened by the date of birth. */
export function ReceiptLinks({
  view,
  asksFor,
  refused,
}: {
  view: StatusView;
  /** The id of the receipt or credit note whose date of birth is being asked for. */
  asksFor: string | null;
  refused: RefusedDate | null;
}) {
  const { t } = useTranslation('application');
  if (view.receipts.length === 0) return null;
  const asked = view.receipts.find(({ id }) => id === asksFor);
  return (
    <section className="mt-6 border-t border-line pt-6 print:hidden">
      <h3 className="text-h3">{t('receipt.title')}</h3>
      {asked ? (
        <BirthDateForm
          label={t(`receipt.${asked.kind}`, { number: asked.number })}
          number={view.number}
          receiptId={asked.id}
          refused={refused}
        />
      ) : (
        <ul className="mt-2 grid justify-items-start gap-x-7 gap-y-2">
          {view.receipts.map(({ id, kind, number }) => (
            <li key={id}>
              <ButtonLink
                icon="download"
                look="plain"
                to={`?ref=${view.number}&download=${id}#dateOfBirth`}
              >
                {t(`receipt.${kind}`, { number })}
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
