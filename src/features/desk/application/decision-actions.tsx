import { useEffect, useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form, useLocation, useNavigate, useNavigation } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { rejectionCodesFor } from '~/features/application/rejection.ts';
import { mayDecide } from '~/features/application/status-machine.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Dialog } from '~/ui/dialog.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { LONGEST_REASON } from './decision-types.ts';
import type { EmailView } from './email-view.ts';
import { formatLanguage } from '../frame/formats.ts';
import { listQuery } from '../frame/list-address.tsx';
import { LiveNotice } from '../frame/live-notice.tsx';
import { useUpdates } from '../frame/use-signals.tsx';
import { PanelActions } from '../frame/panel.tsx';
import { BlockNotice, disabledBy, type Block } from '../frame/block-notice.tsx';
import type { Detail } from './detail.server.ts';
import type { DeskError } from './desk-error.ts';
import type { OfferedTemplates } from '../settings/offered-template.ts';
import { TemplatePreview } from '../settings/template-preview.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { fullName } from '~/features/application/full-name.ts';

/** Approve, start processing, reject; for a decided application the state of its email. */
export function DecisionActions({
  application,
  asked,
  block,
  emails,
  errorCode,
  errorText,
  reason,
  reasonCode,
  templates,
}: {
  application: Detail;
  asked: 'reject' | null;
  /** Why its forms must not be sent now. */
  block: Block | null;
  /** The emails to the traveller. */
  emails: readonly EmailView[];
  errorCode: DeskError['code'] | null;
  errorText: string | null;
  reason: string;
  reasonCode: string;
  templates: OfferedTemplates | null;
}) {
  const { t } = useTranslation('desk');
  const { status, paid } = application;
  const rejectAddress = useRejectAddress();
  if (application.decidedAt) return <Outcome application={application} emails={emails} />;
  const isRejecting =
    asked === 'reject' || (errorCode !== null && reasonErrors.includes(errorCode));
  return (
    <PanelActions>
      {paid ? (
        <ApproveForm application={application} block={block} />
      ) : (
        <p>{t('decide.unpaidNote')}</p>
      )}
      <div className="grid auto-cols-[minmax(0,1fr)] grid-flow-col gap-2.5">
        {mayDecide(application, 'start_processing') ? (
          <Form method="post" preventScrollReset>
            <input name="seen" type="hidden" value={status} />
            <Button
              {...disabledBy(block)}
              id="start"
              look="secondary"
              name="intent"
              small
              value="start"
              wide
            >
              {t('decide.start')}
            </Button>
          </Form>
        ) : null}
        <ButtonLink id="reject" look="danger" preventScrollReset small to={rejectAddress} wide>
          {t('decide.reject')}
        </ButtonLink>
      </div>
      {isRejecting ? (
        <RejectDialog
          application={application}
          block={block}
          errorCode={errorCode}
          errorText={errorText}
          reason={reason}
          reasonCode={reasonCode}
          templates={templates}
        />
      ) : null}
    </PanelActions>
  );
}

/** What is wrong with a rejection's reason, by which its form stays open. */
const reasonErrors: readonly DeskError['code'][] = [
  'reason_required',
  'reason_too_long',
  'reason_unknown',
];

function useRejectAddress(): string {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  query.delete('done');
  query.set('reject', '');
  return `${pathname}?${query}#reject-dialog`;
}

function useOwnAddress(): string {
  const { pathname, search } = useLocation();
  return `${pathname}${listQuery(search)}#application`;
}

/** The name of the choice of a rejection's reason. */
export const REASON_CODE = 'reasonCode';

/** A dialog also closes while it is made modal, which is no answer of the user. */
const isOpen = (id: string) => document.querySelector(`#${id}:modal`) !== null;

/** Leads to the preview, from which the email is sent. */
function ApproveForm({ application, block }: { application: Detail; block: Block | null }) {
  const { t } = useTranslation('decision');
  const busy = useNavigation().formData?.get('intent') === 'approve';
  return (
    <Form encType="multipart/form-data" id="decide" method="post" preventScrollReset>
      <input name="intent" type="hidden" value="approve" />
      <input name="seen" type="hidden" value={application.status} />
      <Button busy={busy} {...disabledBy(block)} id="approve" small wide>
        {t('approve')}
      </Button>
    </Form>
  );
}

function RejectDialog({
  application,
  block,
  errorCode,
  errorText,
  reason,
  reasonCode,
  templates,
}: {
  application: Detail;
  block: Block | null;
  errorCode: DeskError['code'] | null;
  errorText: string | null;
  reason: string;
  reasonCode: string;
  templates: OfferedTemplates | null;
}) {
  const { t } = useTranslation(['desk', 'decision', 'rejection']);
  const [code, setCode] = useState(reasonCode);
  const template = templates?.rejection[code];
  const language = useLanguage();
  const isAboutChoice =
    errorCode === 'reason_unknown' || (errorCode === 'reason_required' && reasonCode === '');
  const { state } = useNavigation();
  // The page's own summary of what is wrong lies behind the dialog.
  useEffect(() => {
    if (state === 'idle' && errorText)
      document.querySelector<HTMLElement>('#reject-form [aria-invalid]')?.focus();
  }, [state, errorText]);
  // The page says so, too, behind the dialog.
  const isSignedOut = useUpdates().problem === 'signed_out';
  const back = useOwnAddress();
  const navigate = useNavigate();
  const name = fullName(application);
  // Escape closes the dialog, so the address must change as well.
  const close = () =>
    isOpen('reject-dialog')
      ? undefined
      : navigate(back, { replace: true, preventScrollReset: true });
  return (
    <Dialog
      actions={
        <>
          <Button {...disabledBy(block)} form="reject-form" look="danger" small>
            {t('decision:reject.continue')}
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
      {isSignedOut ? <LiveNotice /> : null}
      <BlockNotice block={block} />
      <p>
        {t(application.kind === 'visa' ? 'decide.rejectText' : 'decide.rejectInsurance', { name })}
      </p>
      <Form action={back} id="reject-form" method="post" preventScrollReset>
        <input name="intent" type="hidden" value="reject" />
        <input name="seen" type="hidden" value={application.status} />
        <SelectField
          defaultValue={reasonCode}
          emptyLabel={t('decision:reject.choose')}
          error={isAboutChoice ? errorText : null}
          hint={t('decision:reject.reasonHint', {
            language: formatLanguage(application.emailLanguage, language),
          })}
          label={t('decision:reject.reason')}
          name={REASON_CODE}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          options={rejectionCodesFor(application.kind).map((code) => ({
            value: code,
            label: t(`rejection:reason.${code}`),
          }))}
          width="full"
        />
        {templates && template ? (
          <TemplatePreview chosen={[template]} templates={templates} />
        ) : null}
        <TextArea
          defaultValue={reason}
          dir="auto"
          error={isAboutChoice ? null : errorText}
          hint={t('decision:reject.wordsHint')}
          label={t('decision:reject.words')}
          lang={application.emailLanguage}
          maxLength={LONGEST_REASON}
          name="reason"
          rows={4}
        />
      </Form>
    </Dialog>
  );
}

/** What was decided. The email's state is worded as in the list of emails. */
function Outcome({
  application: { decidedAt, mailSentAt, status },
  emails,
}: {
  application: Detail;
  emails: readonly EmailView[];
}) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  if (!decidedAt) return null;
  const write = (at: Date) => formatMoment(at, language, UTC, 'dated');
  const email = emails.find(({ kind, resentBy }) => kind === status && resentBy === null);
  const sentAt = email ? (email.state === 'sent' ? email.at : null) : mailSentAt;
  const moment = write(decidedAt);
  return (
    <PanelActions>
      <p>
        {sentAt
          ? t('decide.finalSent', { moment, sent: write(sentAt) })
          : t(email?.state === 'failed' ? 'decide.finalFailed' : 'decide.finalWaiting', {
              moment,
            })}
      </p>
    </PanelActions>
  );
}
