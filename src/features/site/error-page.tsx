import type { ReactNode } from 'react';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { FailureReference, useReference } from './reference.tsx';
import { MissingPage } from './missing-page.tsx';

/** The page of a failure: what happened, the reference to give when writing to us, and a link to continue. */
export function ErrorPage({
  isMissing,
  supportEmail,
}: {
  /** Nothing exists at the address. */
  isMissing: boolean;
  supportEmail?: string;
}) {
  return (
    <>
      <meta content="noindex" name="robots" />
      {isMissing ? <MissingPage /> : <FailurePage supportEmail={supportEmail} />}
    </>
  );
}

/** `Trans` passes the text as children. */
function MailLink({ to, children }: { to: string; children?: ReactNode }) {
  return <a href={`mailto:${to}`}>{children}</a>;
}

function FailurePage({ supportEmail }: { supportEmail?: string }) {
  const { t } = useTranslation('site');
  const reference = useReference();
  return (
    <NarrowPage>
      <title>{`${t('failure.title')} · Lale`}</title>
      <PageHead lead={t('failure.lead')} title={t('failure.title')} />
      {reference ? (
        <div className="failure-reference">
          <FailureReference />
          {supportEmail ? (
            <p>
              <Trans
                components={{ mail: <MailLink to={`${supportEmail}?subject=${reference}`} /> }}
                i18nKey="site:failure.tell"
                t={t}
                values={{ email: supportEmail }}
              />
            </p>
          ) : null}
        </div>
      ) : null}
      <div className="form-actions">
        <ButtonLink to="/">{t('failure.home')}</ButtonLink>
        <ButtonLink look="secondary" to="/status">
          {t('nav.status')}
        </ButtonLink>
      </div>
    </NarrowPage>
  );
}
