import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import type { Role } from '~/features/staff/roles.ts';
import { Icon } from '~/ui/icon.tsx';
import { FormHead, type FieldProblem } from '~/ui/fields/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { listedName } from '~/features/application/full-name.ts';
import { ApplicationFacts, ContactFacts } from './application-facts.tsx';
import { Warnings } from '../case-file/application-warnings.tsx';
import { CorrectedNotice, CorrectionSection } from '../correction/correction-section.tsx';
import type { Holder } from '../records/claim.server.ts';
import { DecisionActions } from '../decision/decision-actions.tsx';
import type { OfferedTemplates } from '../templates/offered-template.ts';
import type { Detail } from '../records/detail.server.ts';
import { useListAddress } from '../frame/list-address.tsx';
import { DoneMessage } from '../frame/announcer.tsx';
import { Panel, PanelBody, PanelHead } from '../frame/panel.tsx';
import { DocumentSection } from './document-section.tsx';
import type { KeptFile } from '../visa-document/drop-zone.tsx';
import type { DeskError } from '../decision/desk-error.ts';
import type { FellowTravellers } from '../records/fellow-travellers.server.ts';
import { FellowTravellerLinks } from './fellow-traveller-links.tsx';
import type { EmailView } from '../records/email-view.ts';
import { BlockNotice, type Block } from '../frame/block-notice.tsx';
import { ApplicationStatusTag, DueMarker } from '../frame/queue-row-state.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useNow } from '~/ui/use-now.tsx';

/** One application beside the queue: its facts, then the actions. */
export function ApplicationPanel({
  application,
  role,
  asked,
  done,
  holder,
  forms,
  block,
  errorCode,
  errorText,
  problems,
  reason,
  reasonCode,
  keptFile,
  numbers,
  madeAt,
  isBeingRefunded,
  duplicates,
  assignment,
  caseFile,
  emails,
  fellows,
  templates,
}: {
  application: Detail;
  role: Role;
  /** Whether the form of a rejection is open. */
  asked: 'reject' | null;
  /** The result of the form just sent. */
  done:
    | 'processing'
    | 'approved'
    | 'rejected'
    | 'attached'
    | 'taken'
    | 'assigned'
    | 'asked'
    | 'withdrawn'
    | 'checked'
    | 'undone'
    | null;
  /** Who is working on it; null for nobody, and for a decided one. */
  holder: Holder | null;
  /** The application as its forms show it, while somebody is filling them in. */
  forms: Detail;
  /** Why its forms must not be sent now. */
  block: Block | null;
  errorCode: DeskError['code'] | null;
  errorText: string | null;
  /** What was wrong with the form just sent. */
  problems: readonly FieldProblem[];
  reason: string;
  /** The reason chosen before an error. */
  reasonCode: string;
  /** A file uploaded for a decision that was not sent yet. */
  keptFile: KeptFile | null;
  /** The document numbers in full, once they were asked for. */
  numbers: { passport: string; supportingDocument: string | null } | null;
  madeAt: number;
  /** What it paid for is being refunded: it cannot be approved. */
  isBeingRefunded: boolean;
  /** Possible duplicates. */
  duplicates: ReactNode;
  /** The form that gives it to a colleague. */
  assignment: ReactNode;
  /** Notes, emails, attempts and timeline. */
  caseFile: ReactNode;
  /** The emails to the traveller. */
  emails: readonly EmailView[];
  /** Fellow travellers; null in an order of one traveller. */
  fellows: FellowTravellers | null;
  /** Null once it is decided. */
  templates: OfferedTemplates | null;
}) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const now = useNow(madeAt);
  const list = useListAddress();
  const name = listedName(application);
  const { status, promisedAt, decidedAt, paid } = application;
  const isOpen = decidedAt === null;
  const isUndelivered = application.undeliveredSince !== null;
  return (
    <Panel id="application" labelledBy="application-name">
      <PanelHead>
        <div>
          <p className="text-fine">
            <NumberCode testId="application-number" value={application.number} />
          </p>
          <h2 id="application-name" tabIndex={-1}>
            <bdi>{name}</bdi>
          </h2>
        </div>
        <Link
          aria-label={t('detail.close')}
          className="-m-1.5 grid size-11 place-items-center rounded-full text-ink hover:bg-turquoise-pale"
          preventScrollReset
          to={list}
        >
          <Icon name="cross" size={18} />
        </Link>
        <p className="col-span-full mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          <ApplicationStatusTag status={status} testId="status" />
          {isOpen || isUndelivered ? (
            <DueMarker
              decidedAt={isUndelivered ? null : decidedAt}
              inWords
              now={now}
              paid={paid}
              pausedAt={application.pausedAt}
              promisedAt={promisedAt}
            />
          ) : null}
          {(isOpen || isUndelivered) && promisedAt && !application.pausedAt ? (
            <span className="text-fine text-ink-2">
              {t('due.readyBy', { moment: formatMoment(promisedAt, language, UTC, 'short') })}
            </span>
          ) : null}
        </p>
        {fellows ? <FellowTravellerLinks fellows={fellows} /> : null}
      </PanelHead>
      <PanelBody>
        <FormHead problems={problems} title={`${name} – Lale`} />
        {done ? (
          isUndoable(done) ? (
            // Said by the notice that offers to undo it.
            <Notice tone="green">{t(`done.${done}`)}</Notice>
          ) : (
            <DoneMessage>{t(`done.${done}`)}</DoneMessage>
          )
        ) : null}
        {holder?.name ? (
          <ClaimNotice
            isAssigned={holder.isAssigned}
            isTaken={block?.why === 'taken'}
            name={holder.name}
            until={holder.until}
          />
        ) : null}
        {holder?.name === null && holder.isAssigned ? (
          <AssignedNotice until={holder.until} />
        ) : null}
        {block?.why === 'changed' ? <BlockNotice block={block} /> : null}
        {isOpen && !holder ? <ClaimForm /> : null}
        {holder?.name === null && !holder.isAssigned ? (
          <p className="text-fine text-ink-2" data-testid="claim-mine">
            {t('claim.yours', { until: formatMoment(holder.until, language, UTC, 'time') })}
          </p>
        ) : null}
        {isUndelivered ? <Notice tone="amber">{t('document.undelivered')}</Notice> : null}
        <CorrectedNotice application={application} mayAct={!holder?.name} />
        {isOpen && isBeingRefunded && errorCode !== 'refunded' ? (
          <Notice tone="amber">{t('error.refunded')}</Notice>
        ) : null}
        {duplicates}
        <ApplicationFacts application={application} numbers={numbers} />
        <Warnings application={application} now={now} />
        <CorrectionSection
          application={forms}
          block={block}
          mayAct={block !== null || !holder?.name}
          note={errorCode?.startsWith('note_') || errorCode === 'fields_required' ? reason : ''}
          error={
            errorText && (errorCode?.startsWith('note_') || errorCode === 'fields_required')
              ? { isAboutFields: errorCode === 'fields_required', text: errorText }
              : null
          }
          templates={templates}
        />
        <DocumentSection application={forms} keptFile={keptFile} role={role} />
        <ContactFacts application={application} />
        {isOpen && (block !== null || !holder?.name) ? assignment : null}
        {caseFile}
      </PanelBody>
      {holder?.name && !block ? null : (
        <DecisionActions
          application={forms}
          asked={asked}
          block={block}
          emails={emails}
          errorText={errorText}
          errorCode={errorCode}
          reason={reason}
          reasonCode={reasonCode}
          templates={templates}
        />
      )}
    </Panel>
  );
}

const isUndoable = (done: string): boolean =>
  ['processing', 'approved', 'rejected', 'attached'].includes(done);

/** Somebody else is working on it: one may read, or take it over, which is recorded. */
function ClaimNotice({
  name,
  until,
  isAssigned,
  isTaken,
}: {
  name: string;
  until: Date;
  /** Whether it was given to them. */
  isAssigned: boolean;
  /** Whether they took it over while its forms were open here. */
  isTaken: boolean;
}) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  return (
    <Notice title={isTaken ? t('live.block.taken', { name }) : undefined} tone="amber">
      <p>
        {isAssigned
          ? t('for-you:assign.other', { name, until: formatMoment(until, language, UTC, 'short') })
          : t('claim.other', { name, until: formatMoment(until, language, UTC, 'time') })}
      </p>
      <Form method="post" preventScrollReset>
        <button className="link-button" name="intent" value="take">
          {t('claim.takeOver')}
        </button>
      </Form>
    </Notice>
  );
}

/** It was given to the reader, by themselves or a colleague. */
function AssignedNotice({ until }: { until: Date }) {
  const { t } = useTranslation('for-you');
  const language = useLanguage();
  return (
    <Notice tone="blue">
      {t('assign.mine', { until: formatMoment(until, language, UTC, 'short') })}
    </Notice>
  );
}

/** Looking is not taking: whoever works on it says so, by this or by the first action. */
function ClaimForm() {
  const { t } = useTranslation('desk');
  return (
    <Form className="flex flex-wrap gap-x-3 text-fine text-ink-2" method="post" preventScrollReset>
      <span>{t('claim.free')}</span>
      <button className="link-button" name="intent" value="claim">
        {t('claim.take')}
      </button>
    </Form>
  );
}
