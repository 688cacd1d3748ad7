import { ButtonLink } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/**
 * Leads to the page that says what cancelling pays back. Everybody with the number sees it; only the payer's browser can
 * cancel there. `number`: of an application, or of an order.
 */
export function CancelLink({ number }: { number: string }) {
  const { t } = useTranslation('application');
  return (
    <div className="mt-4 print:hidden">
      <ButtonLink look="plain" to={`/status/cancel?${new URLSearchParams({ ref: number })}`}>
        {t('cancel.link')}
      </ButtonLink>
    </div>
  );
}
