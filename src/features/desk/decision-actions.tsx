import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, Link, useLocation, useNavigate, useNavigation } from 'react-router';
import { formatMoment, UTC } from '~/base/dates.ts';
import { mayDecide } from '~/features/application/status.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Dialog } from '~/ui/dialog.tsx';
import { TextArea } from '~/ui/text-field.tsx';
import { LONGEST_REASON } from './decision.ts';
import type { Detail } from './detail.server.ts';
import type { DeskError } from './forms.server.ts';
import { useDeskLanguage } from './queue-row-state.tsx';

/** Approve, start processing, reject; for a decided application what became of its e-mail instead. */
export function DecisionActions({
  application,
  asked,
  errorCode,
  errorText,
  reason,
}: {
  application: Detail;
  asked: 'reject' | null;
  errorCode: DeskError['code'] | null;
  errorText: string | null;
  reason: string;
}) {
  const { t } = useTranslation('desk');
  const { status, paid } = application;
  const rejectAddress = useRejectAddress();
  if (application.decidedAt) return <Outcome application={application} />;
  const isRejecting =
    asked === 'reject' || errorCode === 'reason_required' || errorCode === 'reason_too_long';
  return (
    <footer className="application-actions">
      {paid ? <ApproveForm application={application} /> : <p>{t('decide.unpaidNote')}</p>}
      <div className="action-row">
        {mayDecide(status, paid, 'start_processing') ? (
          <Form method="post" preventScrollReset>
            <input name="seen" type="hidden" value={status} />
            <Button look="secondary" name="intent" small value="start" wide>
              {t('decide.start')}
            </Button>
          </Form>
        ) : null}
        <ButtonLink id="reject" look="danger" preventScrollReset small to={rejectAddress} wide>
          {t('decide.reject')}
        </ButtonLink>
      </div>
      {isRejecting ? (
        <RejectDialog application={application} errorText={errorText} reason={reason} />
      ) : null}
    </footer>
  );
}

function useRejectAddress(): string {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete('done');
  query.set('reject', '');
  return `${pathname}?${query}#reject-dialog`;
}

function useOwnAddress(): string {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete('reject');
  query.delete('done');
  const text = query.toString();
  return `${pathname}${text === '' ? '' : `?${text}`}#application`;
}

/** A dialog also closes for a moment while it is lifted above the page; that is no answer. */
const isOpen = (id: string) => document.querySelector(`#${id}:modal`) !== null;

/** Without scripts the button approves; with them it asks once more. */
function ApproveForm({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const [question, setQuestion] = useState<{ file: string | null } | null>(null);
  const confirmed = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const busy = useNavigation().formData?.get('intent') === 'approve';
  const ask = (event: FormEvent<HTMLFormElement>) => {
    if (confirmed.current) {
      confirmed.current = false;
      return;
    }
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get('document');
    setQuestion({ file: chosen instanceof File && chosen.size > 0 ? chosen.name : null });
  };
  const approve = () => {
    confirmed.current = true;
    setQuestion(null);
    form.current?.requestSubmit();
  };
  const name = `${application.firstName} ${application.lastName}`;
  const isInsurance = application.kind === 'insurance';
  return (
    <Form
      encType="multipart/form-data"
      id="decide"
      method="post"
      onSubmit={ask}
      preventScrollReset
      ref={form}
    >
      <input name="intent" type="hidden" value="approve" />
      <input name="seen" type="hidden" value={application.status} />
      <Button busy={busy} id="approve" small wide>
        {t('decide.approve')}
      </Button>
      {question ? (
        <Dialog
          actions={
            <>
              <Button onClick={approve} small type="button">
                {t('decide.approveConfirm')}
              </Button>
              <Button look="secondary" onClick={() => setQuestion(null)} small type="button">
                {t('decide.cancel')}
              </Button>
            </>
          }
          id="approve-dialog"
          onClose={() => (isOpen('approve-dialog') ? undefined : setQuestion(null))}
          title={t('decide.approveTitle')}
        >
          <p>
            {question.file
              ? t('decide.approveWith', { name, file: question.file })
              : t(isInsurance ? 'decide.approveCertificate' : 'decide.approveWithout', { name })}
          </p>
        </Dialog>
      ) : null}
    </Form>
  );
}

function RejectDialog({
  application,
  errorText,
  reason,
}: {
  application: Detail;
  errorText: string | null;
  reason: string;
}) {
  const { t } = useTranslation('desk');
  const back = useOwnAddress();
  const navigate = useNavigate();
  const name = `${application.firstName} ${application.lastName}`;
  // Escape closes the dialog: the address has to say so as well.
  const close = () =>
    isOpen('reject-dialog')
      ? undefined
      : navigate(back, { replace: true, preventScrollReset: true });
  return (
    <Dialog
      actions={
        <>
          <Button form="reject-form" look="danger" small>
            {t('decide.rejectConfirm')}
          </Button>
          <Link className="button button-plain button-small" preventScrollReset to={back}>
            {t('decide.cancel')}
          </Link>
        </>
      }
      id="reject-dialog"
      onClose={() => void close()}
      title={t('decide.rejectTitle')}
    >
      <p>
        {t(application.kind === 'visa' ? 'decide.rejectText' : 'decide.rejectInsurance', { name })}
      </p>
      <Form action={back} id="reject-form" method="post" preventScrollReset>
        <input name="intent" type="hidden" value="reject" />
        <input name="seen" type="hidden" value={application.status} />
        <TextArea
          defaultValue={reason}
          dir="auto"
          error={errorText}
          hint={t('decide.reasonHint')}
          label={t('decide.reason')}
          maxLength={LONGEST_REASON}
          name="reason"
          required
          rows={4}
        />
      </Form>
    </Dialog>
  );
}

/** Nothing leaves approved or rejected. */
function Outcome({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const language = useDeskLanguage();
  const { decidedAt, mailSentAt } = application;
  if (!decidedAt) return null;
  const moment = formatMoment(decidedAt, language, UTC, 'dated');
  return (
    <footer className="application-actions">
      <p>
        {mailSentAt
          ? t('decide.finalSent', {
              moment,
              sent: formatMoment(mailSentAt, language, UTC, 'dated'),
            })
          : t('decide.finalWaiting', { moment })}
      </p>
    </footer>
  );
}
