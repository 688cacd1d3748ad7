import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { CaseFileDone, CaseFileProblem } from './case-file-answer.ts';
import { DoneNotice, useProblemText } from './case-file-words.tsx';
import type { EmailView } from '../records/email-view.ts';

/** Every email about this application: how it looked, and a button to send it again. */
export function EmailsSection({
  emails,
  role,
  done,
  problem,
}: {
  emails: readonly EmailView[];
  role: Role;
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
}) {
  const { t } = useTranslation('case-file');
  const error = useProblemText(problem?.intent === 'resend_email' ? problem : null);
  return (
    <section className="desk-facts" id="emails">
      <h3>{t('emails.title')}</h3>
      <DoneNotice done={done} of={['email_resent']} />
      {error ? (
        <Notice role="alert" tone="red">
          {error}
        </Notice>
      ) : null}
      {emails.length === 0 ? <p className="text-ink-2">{t('emails.none')}</p> : null}
      <ol className="desk-history">
        {emails.map((email) => (
          <EmailItem key={email.id} email={email} mayResend={may(role, 'resend_email')} />
        ))}
      </ol>
    </section>
  );
}

function EmailItem({ email, mayResend }: { email: EmailView; mayResend: boolean }) {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
  const { id, state, at, failure, to, subject, resentBy, kindName: kind } = email;
  const writtenIn = email.language ?? undefined;
  const moment = formatMoment(at, language, UTC, 'dated');
  return (
    <li id={`email-${id}`}>
      <p className="font-semibold text-ink">{kind}</p>
      <p className={state === 'failed' ? 'font-semibold text-error' : undefined}>
        {t('emails.stateAt', { state: t(`emails.state.${state}`), moment })}
      </p>
      {failure ? <p>{t(`emails.failure.${failure}`)}</p> : null}
      {subject ? (
        <p dir="auto" lang={writtenIn}>
          {subject}
        </p>
      ) : null}
      {to ? (
        <p>
          <bdi>{t('emails.to', { address: to })}</bdi>
        </p>
      ) : null}
      {resentBy ? <p>{t('emails.resentBy', { name: resentBy })}</p> : null}
      <div className="flex flex-wrap gap-x-5">
        {subject ? (
          <a
            aria-label={t('emails.viewLabel', { kind })}
            className="desk-link"
            href={`/admin/emails/${id}`}
            rel="noopener"
            target="_blank"
          >
            {t('emails.view')}
          </a>
        ) : null}
        {mayResend && state !== 'queued' ? (
          <Form method="post" preventScrollReset>
            <input name="about" type="hidden" value={id} />
            <button
              aria-label={t('emails.resendLabel', { kind })}
              className="link-button"
              name="intent"
              value="resend_email"
            >
              {t('emails.resend')}
            </button>
          </Form>
        ) : null}
      </div>
    </li>
  );
}
