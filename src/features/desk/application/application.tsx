import { useEffect } from 'react';
import {
  data,
  isRouteErrorResponse,
  redirect,
  useLocation,
  useRouteError,
  useRouteLoaderData,
  Form,
} from 'react-router';
import {
  DAY_MS,
  toPlainDate,
  formatDate,
  formatDateShort,
  parseDate,
  UTC,
  formatMoment,
} from '~/base/dates/dates.ts';
import { isInHand } from '~/features/application/queue-group.ts';
import { dropOwnClaim, storeLook } from '~/features/application/claim-store.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { cachedActiveStaff } from '~/features/staff/store.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { useToast } from '~/ui/page/toast.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { listQuery } from '../queue/list-filter.ts';
import { nextAddress } from '../queue/next.server.ts';
import { findBlock, shownCase, type CasePage } from '../frame/live-state.ts';
import { loadedAhead, useRevalidation, useLoadAhead, useOpenedFocus } from '../frame/opening.tsx';
import { useLive } from '../frame/use-signals.tsx';
import { erasureMoment } from '../privacy/deletions.server.ts';
import { offeredTemplates } from '../settings/offered-templates.server.ts';
import type { Route } from './+types/application.ts';
import { handleCaseForm } from './case-actions.server.ts';
import {
  doneWords,
  refusedField,
  actionRules,
  type CaseProblem,
  applicationCorrectable,
  caseActionNames,
  COPY_KEY,
  isActionOffered,
  keyOf,
  type DoneWord,
} from './case-actions.ts';
import { CaseProvider, DoneNotice, useCase, useProblem } from './case.tsx';
import { AssignFields } from './decision-fields.tsx';
import { MAX_PDF_MEGABYTES } from './pdf-rules.ts';
import { refusalStatus, undoErrors } from './decision-types.ts';
import { findApplication, type ApplicationDetail } from './detail.server.ts';
import { openDraft } from './draft.server.ts';
import { useErrorText } from './error-text.tsx';
import {
  fellowTravellers,
  auditOpened,
  openCase,
  type FellowTravellers,
} from './open-case.server.ts';
import type { DocumentNumbers } from './store.server.ts';
import { undoCookie } from './undo-record.server.ts';
import { listedName } from '~/features/application/full-name.ts';
import { Button } from '~/ui/button.tsx';
import { FormHead, type FieldProblem } from '~/ui/fields/error-summary.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Icon } from '~/ui/icon.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useClock } from '~/ui/use-now.tsx';
import { BlockNotice } from '../frame/announcer.tsx';
import { Panel, PanelBody, PanelHead } from '../frame/panel.tsx';
import { ApplicationStatusTag, DueMarker } from '../frame/queue-row-state.tsx';
import { ASSIGNED_MS } from './note.ts';
import { ApplicationFacts, ContactFacts, Warnings } from './application-facts.tsx';
import { CaseFileSections, DuplicateSection } from './case-file-sections.tsx';
import {
  AuthoritySection,
  CorrectedNotice,
  CorrectionSection,
  DecisionActions,
} from './case-forms.tsx';
import { PdfField } from './drop-zone.tsx';
import { PutOffForm, PutOffNotice } from './put-off-form.tsx';

/** One application beside the queue: its facts, then the actions. `problems`: what was wrong with the form just sent. */
function ApplicationPanel({ problems }: { problems: readonly FieldProblem[] }) {
  const { application, caseFile, block, done, fellows, holder, madeAt, problem, viewer } =
    useCase();
  const { t, language } = useTranslation('desk');
  const now = useClock(madeAt);
  const { search } = useLocation();
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
          to={`/admin${listQuery(search)}`}
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
        {done && isUndoable(done) ? (
          // Said by the notice that offers to undo it.
          <Notice tone="green">{t(`done.${done}`)}</Notice>
        ) : (
          <DoneNotice place={undefined} />
        )}
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
        {isActionOffered('claim', application, viewer.role) && !holder ? <ClaimForm /> : null}
        {holder?.name === null && !holder.isAssigned ? (
          <p className="text-fine text-ink-2" data-testid="claim-mine">
            {t('claim.yours', { until: formatMoment(holder.until, language, UTC, 'time') })}
          </p>
        ) : null}
        {isUndelivered ? <Notice tone="amber">{t('document.undelivered')}</Notice> : null}
        <PutOffNotice />
        <CorrectedNotice />
        {isOpen && caseFile.isBeingRefunded && problem?.error.code !== 'refunded' ? (
          <Notice tone="amber">{t('error.refunded')}</Notice>
        ) : null}
        <DuplicateSection />
        {isActionOffered('start_processing', application, viewer.role) ? (
          <p>
            <Link
              aria-keyshortcuts={COPY_KEY}
              className="desk-link"
              to={`/admin/applications/${application.number}/copy${listQuery(search)}`}
            >
              {t('copy.title')}
            </Link>
          </p>
        ) : null}
        <ApplicationFacts />
        <Warnings />
        <CorrectionSection />
        <AuthoritySection />
        <DocumentSection />
        <ContactFacts />
        {isActionOffered('assign', application, viewer.role) &&
        (block !== null || !holder?.name) ? (
          <AssignForm />
        ) : null}
        {block !== null || !holder?.name ? <PutOffForm /> : null}
        <CaseFileSections />
      </PanelBody>
      {holder?.name && !block ? null : <DecisionActions />}
    </Panel>
  );
}

const isUndoable = (done: DoneWord): boolean =>
  caseActionNames.some((one) => actionRules(one).done === done && actionRules(one).undoable);

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
  const { t, language } = useTranslation('desk');
  return (
    <Notice title={isTaken ? t('live.block.taken', { name }) : undefined} tone="amber">
      <p>
        {isAssigned
          ? t('for-you:assign.other', { name, until: formatMoment(until, language, UTC, 'short') })
          : t('claim.other', { name, until: formatMoment(until, language, UTC, 'time') })}
      </p>
      <Form method="post" preventScrollReset>
        <button {...keyOf('take')} className="link-button" name="intent" value="take">
          {t('claim.takeOver')}
        </button>
      </Form>
    </Notice>
  );
}

/** It was given to the reader, by themselves or a colleague. */
function AssignedNotice({ until }: { until: Date }) {
  const { t, language } = useTranslation('for-you');
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
      <button {...keyOf('claim')} className="link-button" name="intent" value="claim">
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

/** Gives the open application to a colleague, with a note; in a disclosure below its facts. */
function AssignForm() {
  const { colleagues, viewer } = useCase();
  const { problem, text: error } = useProblem('assign');
  const { t } = useTranslation('for-you');
  return (
    <details className="desk-more" open={problem !== null || undefined}>
      <summary {...keyOf('assign')}>{t('assign.title')}</summary>
      <Form className="grid gap-2.5 pt-1 pb-3" method="post" preventScrollReset>
        <p className="text-ink-2">{t('assign.lead', { days: ASSIGNED_MS / DAY_MS })}</p>
        <AssignFields
          colleagues={colleagues}
          error={error}
          typed={problem?.typed ?? {}}
          viewer={viewer}
        />
        <Button look="secondary" name="intent" small value="assign" wide>
          {t('assign.send')}
        </Button>
      </Form>
    </details>
  );
}

/** The delivered file, and where one is attached: with the approval, or after it. */
function DocumentSection() {
  const { forms: application, draft, viewer } = useCase();
  const { t } = useTranslation(['desk', 'decision']);
  const { status, documents, kind } = application;
  const current = documents.find(({ replacedAt }) => replacedAt === null);
  const mayApprove = isActionOffered('approve', application, viewer.role);
  const mayAttach = isActionOffered(
    'attach',
    { ...application, hasDocument: Boolean(current) },
    viewer.role,
  );
  if (documents.length === 0 && status !== 'approved' && !mayApprove) return null;
  const later = kind === 'visa' ? 'document.hint' : 'document.hintInsurance';
  const hint = t(mayApprove ? later : 'document.hintLater', { megabytes: MAX_PDF_MEGABYTES });
  const title = t(kind === 'visa' ? 'document.attach' : 'document.attachInsurance');
  return (
    <section className="desk-facts">
      <h3>{t(kind === 'visa' ? 'document.titleVisa' : 'document.titleInsurance')}</h3>
      <Documents application={application} />
      {status === 'approved' && !current ? (
        <p className="text-ink-2">
          {t(kind === 'visa' ? 'document.none' : 'document.noneInsurance')}
        </p>
      ) : null}
      {draft?.hasFile && (mayApprove || mayAttach) ? (
        <p className="mb-2.5">
          <Link to={`/admin/applications/${application.number}/decision/${draft.id}`}>
            {t('decision:file.kept')}
          </Link>
        </p>
      ) : null}
      {mayApprove ? <PdfField form="decide" hint={hint} title={title} /> : null}
      {mayAttach ? (
        <Form
          className="[&>div]:mb-2.5"
          encType="multipart/form-data"
          id="attach"
          method="post"
          preventScrollReset
        >
          <input name="intent" type="hidden" value="attach" />
          <PdfField form="attach" hint={hint} title={current ? t('document.replace') : title} />
          <Button look="secondary" small wide>
            {t(current ? 'decision:attach.replace' : 'decision:attach.first')}
          </Button>
        </Form>
      ) : null}
    </section>
  );
}

function Documents({ application }: { application: ApplicationDetail }) {
  const { t, language } = useTranslation('desk');
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  return (
    <ul className="desk-history">
      {application.documents.map(({ id, createdAt, replacedAt, by, validity }) => (
        <li key={id}>
          <p>
            {by
              ? t('document.currentBy', { moment: moment(createdAt), name: by })
              : t('document.current', { moment: moment(createdAt) })}
          </p>
          {replacedAt ? <p>{t('document.replaced', { moment: moment(replacedAt) })}</p> : null}
          {validity ? (
            <p>
              {`${t('detail.valid')}: ${t('detail.period', {
                from: formatDateShort(validity.from, language),
                to: formatDateShort(validity.until, language),
              })}`}
            </p>
          ) : null}
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

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { staff, platform, language } = await requireDesk({ request, context });
  const found = await findApplication(platform.db, params.number);
  if (!found) throw await noApplication(platform, params.number);
  const now = platform.now();
  const query = new URL(request.url).searchParams;
  if (isInHand(found) && !query.has('ahead'))
    await storeLook(platform.db, { applicationId: found.id, staffId: staff.id, at: now });
  /** The decision draft that its author left without sending. */
  const keptDraft = async () => {
    const id = query.get('draft') ?? '';
    const kept = await openDraft(platform, staff, { application: found, id });
    if (!kept) return null;
    const { kind, words, rejectionCode: code } = kept;
    const [reason, message] = kind === 'message' ? [null, words] : [words, null];
    return { id, reason, message, code, hasFile: kept.fileId !== null };
  };
  const opened = await openCase(platform, staff, found, language);
  await auditOpened(platform, staff, opened);
  const { application } = opened;
  const settings = await currentSettings(platform.db);
  return {
    opened,
    templates: offeredTemplates(settings, application, {
      fields: applicationCorrectable(application),
      language,
      at: now,
    }),
    fellows: await fellowTravellers(platform.db, found),
    viewer: { id: staff.id, role: staff.role },
    colleagues: await cachedActiveStaff(platform.db),
    asked: query.has('reject') ? ('reject' as const) : null,
    draft: await keptDraft(),
    done: doneWords.find((word) => word === query.get('done')) ?? null,
    notUndone: undoErrors.find((code) => code === query.get('undo')) ?? null,
    now: now.getTime(),
  } satisfies CasePage & Record<string, unknown>;
}

/** Says whether the application was erased on request; as 410, its data is the day (`PlainDate`). */
async function noApplication({ db, sealer }: Platform, number: string) {
  const erasedAt = await erasureMoment(db, sealer, number);
  return erasedAt ? data(toPlainDate(erasedAt, UTC), { status: 410 }) : data(null, { status: 404 });
}

/** One that was loaded ahead is shown at once. */
export async function clientLoader({ params, serverLoader }: Route.ClientLoaderArgs) {
  const ahead = loadedAhead(params.number)?.page;
  return isLoaded(ahead) ? ahead : serverLoader();
}

const isLoaded = (ahead: unknown): ahead is Awaited<ReturnType<typeof loader>> =>
  typeof ahead === 'object' && ahead !== null && 'opened' in ahead;

type Answer = { problem: CaseProblem | null; numbers: DocumentNumbers | null };

export async function action({ request, context, params }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const found = await findApplication(platform.db, params.number);
  if (!found) throw await noApplication(platform, params.number);
  const form = await readForm({ request, context });
  const handled = await handleCaseForm(platform, staff, found, form);
  if (!handled.ok) {
    const problem = handled.error;
    const status = refusalStatus(problem.error);
    return data<Answer>({ problem, numbers: null }, { status });
  }
  const { action: performed, draft, numbers } = handled.value;
  const here = `/admin/applications/${found.number}`;
  if (draft !== undefined) {
    const list = listQuery(new URL(request.url).search);
    return redirect(`${here}/decision/${draft}${list}`);
  }
  if (numbers) return data<Answer>({ problem: null, numbers });
  const { done, place = 'application', undoable } = actionRules(performed);
  const headers = undoable ? undoCookie(platform, staff) : {};
  if (form.get('after') === 'next') {
    const list = new URLSearchParams(listQuery(new URL(request.url).search));
    // Handed in and free for others: it comes again in the list where it stands now.
    await dropOwnClaim(platform.db, { applicationId: found.id, staffId: staff.id });
    return redirect(await nextAddress(platform, staff, { list, not: null }), { headers });
  }
  const query = new URL(request.url).searchParams;
  query.delete('undo');
  // After taking an application over, the rejection's form stays open.
  if (done !== 'taken') query.delete('reject');
  query.set('done', done ?? '');
  return redirect(`${here}?${query}#${place}`, { headers });
}

export default function ApplicationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('desk');
  const { toast } = useToast();
  const { notUndone, opened, now: _now, done, ...shownToo } = loaderData;
  const { number, decidedAt } = opened.application;
  const problem =
    actionData?.problem ??
    (notUndone && { action: null, about: '', error: { code: notUndone }, typed: {} });
  const text = useErrorText(problem?.error ?? null);
  const problems = problem && text ? [{ name: refusedField(problem), message: text }] : [];
  // What is wrong with a field is said by the summary alone.
  const failure = problems.find(({ name }) => name === null)?.message;
  useEffect(() => {
    if ((actionData || notUndone) && failure)
      toast({ title: t('error.title'), description: failure, tone: 'error' });
  }, [actionData, notUndone, failure, t, toast]);
  const { search } = useLocation();
  useRevalidation(number);
  useOpenedFocus(number, problems.length > 0);
  useLoadAhead({ list: listQuery(search), not: number, isEnding: decidedAt !== null });
  const live = useLive();
  const shown = shownCase(loaderData, live.opened);
  const { application, caseFile, holder } = shown.latest;
  const value = {
    ...shownToo,
    application,
    forms: shown.forms.application,
    caseFile,
    holder,
    block: findBlock(shown),
    madeAt: shown.at,
    done: problem ? null : done,
    problem,
    numbers: actionData?.numbers ?? null,
  };
  return (
    // Made anew for each application: what was typed, ticked or dropped for one is not about the next.
    <CaseProvider key={number} value={value}>
      <ApplicationPanel problems={problems} />
    </CaseProvider>
  );
}

/** An unknown number, or one that was erased, leaves the queue in place. */
export function ErrorBoundary() {
  const { t, language } = useTranslation('desk');
  const error: unknown = useRouteError();
  useRouteLoaderData('root');
  const erasedOn =
    isRouteErrorResponse(error) && error.status === 410 ? parseDate(String(error.data)) : null;
  return (
    <div className="px-5.5 py-10 text-ink-2" id="application">
      <p>
        {erasedOn
          ? t('detail.erased', { day: formatDate(erasedOn, language) })
          : t('detail.missing')}
      </p>
    </div>
  );
}
