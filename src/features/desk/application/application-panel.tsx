import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form, useLocation } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { type Role, may } from '~/features/staff/roles.ts';
import { Icon } from '~/ui/icon.tsx';
import { FormHead, type FieldProblem } from '~/ui/fields/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { listedName } from '~/features/application/full-name.ts';
import { ApplicationFacts, ContactFacts } from './application-facts.tsx';
import { Warnings } from './application-warnings.tsx';
import { CorrectedNotice, CorrectionSection } from './correction-section.tsx';
import type { Holder } from './claim.server.ts';
import { DecisionActions } from './decision-actions.tsx';
import type { OfferedTemplates } from '../settings/offered-template.ts';
import type { Detail } from './detail.server.ts';
import { useListAddress, listQuery } from '../frame/list-address.tsx';
import { DoneMessage } from '../frame/announcer.tsx';
import { Panel, PanelBody, PanelHead } from '../frame/panel.tsx';
import { type KeptFile, DropZone } from './drop-zone.tsx';
import type { DeskError } from './desk-error.ts';
import type { FellowTravellers } from './fellow-travellers.server.ts';
import type { EmailView } from './email-view.ts';
import { BlockNotice, type Block } from '../frame/block-notice.tsx';
import { ApplicationStatusTag, DueMarker } from '../frame/queue-row-state.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { useNow } from '~/ui/use-now.tsx';
import { Button } from '~/ui/button.tsx';
import { MAX_PDF_MEGABYTES } from './pdf-rules.ts';

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

/** Which traveller of how many this is, with links to the others that keep the list. */
function FellowTravellerLinks({
  fellows: { orderNumber, place, travellers },
}: {
  fellows: FellowTravellers;
}) {
  const { t } = useTranslation('decision');
  const { search } = useLocation();
  const to = (number: string) => `/admin/applications/${number}${listQuery(search)}#application`;
  const previous = travellers[place - 2];
  const next = travellers[place];
  return (
    <nav aria-label={t('group.fellows')} className="col-span-full mt-2 grid gap-1 text-fine">
      <p className="flex flex-wrap items-center gap-x-4">
        <span className="font-semibold text-ink">
          {t('group.place', { place, count: travellers.length })}
        </span>
        {previous ? (
          <Link className="desk-link" preventScrollReset rel="prev" to={to(previous.number)}>
            {t('group.previous')}
          </Link>
        ) : null}
        {next ? (
          <Link className="desk-link" preventScrollReset rel="next" to={to(next.number)}>
            {t('group.next')}
          </Link>
        ) : null}
        <Link className="desk-link" to={`/admin/orders/${orderNumber}#group`}>
          {t('group.all')}
        </Link>
      </p>
      <ol className="flex flex-wrap gap-x-4">
        {travellers.map(({ number, name }, index) => (
          <li key={number}>
            {index === place - 1 ? (
              <span aria-current="page" className="desk-link font-semibold">
                <bdi>{name}</bdi>
              </span>
            ) : (
              <Link className="desk-link" preventScrollReset to={to(number)}>
                <bdi>{name}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The delivered file, and where one is attached: with the approval, or after it. */
function DocumentSection({
  application,
  role,
  keptFile,
}: {
  application: Detail;
  role: Role;
  /** A file uploaded for a decision that was not sent yet. */
  keptFile: KeptFile | null;
}) {
  const { t } = useTranslation(['desk', 'decision']);
  const { status, documents, kind, paid } = application;
  const current = documents.find(({ replacedAt }) => replacedAt === null);
  const isOpen = status === 'pending' || status === 'processing';
  const mayAttach = status === 'approved' && (!current || may(role, 'replace_document'));
  const hasNothing = documents.length === 0;
  if (hasNothing && (status === 'rejected' || (isOpen && !paid))) return null;
  return (
    <section className="desk-facts">
      <h3>{t(kind === 'visa' ? 'document.titleVisa' : 'document.titleInsurance')}</h3>
      <Documents application={application} />
      {status === 'approved' && !current ? (
        <p className="text-ink-2">
          {t(kind === 'visa' ? 'document.none' : 'document.noneInsurance')}
        </p>
      ) : null}
      {isOpen && paid ? (
        <DropZone
          form="decide"
          hint={t(kind === 'visa' ? 'document.hint' : 'document.hintInsurance', {
            megabytes: MAX_PDF_MEGABYTES,
          })}
          keptFile={keptFile}
          title={t(kind === 'visa' ? 'document.attach' : 'document.attachInsurance')}
          to={application.number}
        />
      ) : null}
      {mayAttach ? (
        <Form
          className="[&>div]:mb-2.5"
          encType="multipart/form-data"
          method="post"
          preventScrollReset
        >
          <input name="intent" type="hidden" value="attach" />
          <DropZone
            hint={t('document.hintLater', { megabytes: MAX_PDF_MEGABYTES })}
            keptFile={keptFile}
            title={t(
              current
                ? 'document.replace'
                : kind === 'visa'
                  ? 'document.attach'
                  : 'document.attachInsurance',
            )}
            to={application.number}
          />
          <Button look="secondary" small wide>
            {t(current ? 'decision:attach.replace' : 'decision:attach.first')}
          </Button>
        </Form>
      ) : null}
    </section>
  );
}

function Documents({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  return (
    <ul className="desk-history">
      {application.documents.map(({ id, createdAt, replacedAt, by }) => (
        <li key={id}>
          <p>
            {by
              ? t('document.currentBy', { moment: moment(createdAt), name: by })
              : t('document.current', { moment: moment(createdAt) })}
          </p>
          {replacedAt ? <p>{t('document.replaced', { moment: moment(replacedAt) })}</p> : null}
          <p>
            <a href={`/admin/documents/${id}`} rel="noopener" target="_blank">
              {t('document.view')}
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}
