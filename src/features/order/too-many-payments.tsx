import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';

/** Too many payments were started one after the other. Whatever else went wrong goes to the frame's own page. */
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
