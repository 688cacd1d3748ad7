import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { Card } from '~/ui/card.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';

/** The page of an unknown address. In development it hints at a missing line in `routes.ts`. */
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
