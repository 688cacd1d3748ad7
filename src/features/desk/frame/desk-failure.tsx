import { useTranslation } from '~/ui/texts/texts.tsx';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { FailureReference } from '~/features/site/failure-reference.tsx';
import { Gate } from '~/features/staff/gate.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { DeskPage } from './desk-page.tsx';

/** A page of the desk that is forbidden, missing, or failed. */
export function DeskFailure() {
  const { t } = useTranslation('books');
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const key = status === 403 ? 'forbidden' : status === 404 ? 'missing' : 'failed';
  return (
    <DeskPage isGate>
      <title>{`${t(`error.${key}.title`)} – Lale`}</title>
      <Gate>
        <h1>{t(`error.${key}.title`)}</h1>
        <p className="mt-1 mb-5 text-ink-2">{t(`error.${key}.text`)}</p>
        {key === 'failed' ? <FailureReference className="mt-1 mb-5 text-ink-2" /> : null}
        <ButtonLink to="/admin">{t('error.back')}</ButtonLink>
      </Gate>
    </DeskPage>
  );
}
