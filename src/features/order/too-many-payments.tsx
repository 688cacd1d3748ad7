import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';

/** Error boundary for too many payments in a short time; passes other errors on to the outer page. */
export function TooManyPayments({ error }: { error: unknown }) {
  const { t } = useTranslation('payment');
  const isTooMany =
    typeof error === 'object' && error !== null && 'status' in error && error.status === 429;
  if (!isTooMany) throw error;
  return (
    <NarrowPage>
      <title>{`${t('tooMany.title')} · Lale`}</title>
      <PageHead lead={t('tooMany.text')} title={t('tooMany.title')} />
      <div className="form-actions">
        <ButtonLink to="/status">{t('stopped.status')}</ButtonLink>
        <ButtonLink look="plain" to="/">
          {t('stopped.home')}
        </ButtonLink>
      </div>
    </NarrowPage>
  );
}
