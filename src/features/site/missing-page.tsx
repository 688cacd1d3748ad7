import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { Card } from '~/ui/card.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';

/** The card for an address with nothing at it. The hint is for who forgot a line in `routes.ts`. */
export function MissingPage() {
  const { t } = useTranslation('site');
  return (
    <NarrowPage>
      <title>{`${t('notFound.title')} · Lale`}</title>
      <Card>
        <PageHead lead={t('notFound.lead')} title={t('notFound.title')} />
        {import.meta.env.DEV ? <p className="lead">{t('notFound.developerHint')}</p> : null}
        <div className="form-actions">
          <ButtonLink to="/">{t('failure.home')}</ButtonLink>
          <ButtonLink look="secondary" to="/status">
            {t('nav.status')}
          </ButtonLink>
        </div>
      </Card>
    </NarrowPage>
  );
}
