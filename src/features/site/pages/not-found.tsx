import { data } from 'react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';

export const handle = { scriptFree: true };

export const loader = () => data(null, { status: 404 });

/** The fallback of the route table. */
export default function NotFound() {
  const { t } = useTranslation('site');
  return (
    <NarrowPage>
      <title>{`${t('notFound.title')} – Lale`}</title>
      <meta content="noindex" name="robots" />
      <PageHead lead={t('notFound.lead')} title={t('notFound.title')} />
      {import.meta.env.DEV ? <p className="lead">{t('notFound.developerHint')}</p> : null}
      <div className="form-actions">
        <ButtonLink to="/">{t('failure.home')}</ButtonLink>
        <ButtonLink look="secondary" to="/status">
          {t('nav.status')}
        </ButtonLink>
      </div>
    </NarrowPage>
  );
}
