import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { ButtonLink } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';

/** What a visitor sees when we failed: plain words, a way on, nothing of the inside. */
export function ErrorPage() {
  const { t } = useTranslation('site');
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const key = missing ? 'notFound' : 'failure';
  return (
    <NarrowPage>
      <title>{`${t(`${key}.title`)} – Lale`}</title>
      <PageHead lead={t(`${key}.lead`)} title={t(`${key}.title`)} />
      <div className="form-actions">
        <ButtonLink to="/">{t('failure.home')}</ButtonLink>
        <ButtonLink look="secondary" to="/status">
          {t('nav.status')}
        </ButtonLink>
      </div>
    </NarrowPage>
  );
}
