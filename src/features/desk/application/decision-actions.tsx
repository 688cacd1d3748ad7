import { useEffect, useState } from 'react';
import { Form, useLocation, useNavigate, useNavigation } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { fullName } from '~/features/application/full-name.ts';
import { rejectionCodesFor } from '~/features/application/rejection.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Dialog } from '~/ui/dialog.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { BlockNotice, disabledBy } from '../frame/announcer.tsx';
import { formatLanguage } from '../frame/formats.ts';
import { listQuery } from '../queue/list-filter.ts';
import { LiveNotice, useLive } from '../frame/use-signals.tsx';
import { PanelActions } from '../frame/panel.tsx';
import { TemplatePreview } from '../settings/template-preview.tsx';
import { offers, REASON_CODE } from './case-actions.ts';
import { useCase, useProblem } from './case.tsx';
import { LONGEST_REASON } from './decision-types.ts';

/** Approve, start processing, reject; for a decided application the state of its email. */
export function DecisionActions() {
  const { t } = useTranslation('desk');
  const { forms: application, asked, block, viewer } = useCase();
  const { field } = useProblem('reject');
  const rejectAddress = useRejectAddress();
  const { decidedAt, status } = application;
  if (decidedAt) return <Outcome />;
  // Open until its reason is right.
  const isRejecting = asked === 'reject' || field !== null;
  return (
    <PanelActions>
      {offers('approve', application, viewer.role) ? (
        <ApproveForm />
      ) : (
        <p>{t('decide.unpaidNote')}</p>
      )}
      <div className="grid auto-cols-[minmax(0,1fr)] grid-flow-col gap-2.5">
        {offers('start_processing', application, viewer.role) ? (
          <Form method="post" preventScrollReset>
            <input name="seen" type="hidden" value={status} />
            <Button
              {...disabledBy(block)}
              id="start"
              look="secondary"
              name="intent"
              small
              value="start_processing"
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
      {isRejecting ? <RejectDialog /> : null}
    </PanelActions>
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
  return `${pathname}${listQuery(search)}#application`;
}

/** A dialog also closes while it is made modal, which is no answer of the user. */
const isOpen = (id: string) => document.querySelector(`#${id}:modal`) !== null;

/** Leads to the preview, from which the email is sent. */
function ApproveForm() {
  const { forms, block } = useCase();
  const { t } = useTranslation('decision');
  const busy = useNavigation().formData?.get('intent') === 'approve';
  return (
    <Form encType="multipart/form-data" id="decide" method="post" preventScrollReset>
      <input name="intent" type="hidden" value="approve" />
      <input name="seen" type="hidden" value={forms.status} />
      <Button busy={busy} {...disabledBy(block)} id="approve" small wide>
        {t('approve')}
      </Button>
    </Form>
  );
}

function RejectDialog() {
  const { forms: application, block, draft, templates } = useCase();
  const { problem, text: errorText, field } = useProblem('reject');
  const reasonCode = problem?.typed[REASON_CODE] ?? draft?.code ?? '';
  const { t } = useTranslation(['desk', 'decision', 'rejection']);
  const [code, setCode] = useState(reasonCode);
  const template = templates?.rejection[code];
  const language = useLanguage();
  const isAboutChoice = field === REASON_CODE;
  const { state } = useNavigation();
  // The page's own summary of what is wrong lies behind the dialog.
  useEffect(() => {
    if (state === 'idle' && errorText)
      document.querySelector<HTMLElement>('#reject-form [aria-invalid]')?.focus();
  }, [state, errorText]);
  // The page says so, too, behind the dialog.
  const isSignedOut = useLive().problem === 'signed_out';
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
          defaultValue={problem?.typed.reason ?? draft?.reason ?? ''}
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
function Outcome() {
  const { forms, caseFile } = useCase();
  const { decidedAt, mailSentAt, status } = forms;
  const { t } = useTranslation('desk');
  const language = useLanguage();
  if (!decidedAt) return null;
  const write = (at: Date) => formatMoment(at, language, UTC, 'dated');
  const email = caseFile.emails.find(({ kind, resentBy }) => kind === status && resentBy === null);
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
