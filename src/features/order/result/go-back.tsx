import { useTranslation } from '~/ui/texts/texts.tsx';
import { useInBrowser } from '~/ui/scripts-input.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';

/** The page where the application of an order was filled in; an order of several began with the visa. */
export const formPath = (orderNumber: string | null): '/insurance' | '/application' =>
  orderNumber?.startsWith('TRI') ? '/insurance' : '/application';

/** Try Again where no order is known: a page back, with scripts; without, or with nowhere to go, the form anew. */
export function GoBack({ orderNumber }: { orderNumber: string | null }) {
  const { t } = useTranslation('payment');
  const hasPast = useInBrowser(() => history.length > 1, false);
  return hasPast ? (
    <Button onClick={() => history.back()} type="button">
      {t('stopped.again')}
    </Button>
  ) : (
    <ButtonLink to={formPath(orderNumber)}>{t('stopped.again')}</ButtonLink>
  );
}
