import { useEffect } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import {
  data,
  isRouteErrorResponse,
  redirect,
  redirectDocument,
  useLocation,
  useRouteError,
  useRouteLoaderData,
  Form,
} from 'react-router';
import {
  dateOf,
  formatDate,
  parseDate,
  UTC,
  formatDateShort,
  formatMoment,
} from '~/base/dates/dates.ts';
import { blockOf, shownCase, type CasePage } from '../frame/live-state.ts';
import { auditOpened, openCase } from './open-case.server.ts';
import { aheadOf, useCheckAgain, useLoadAhead } from '../frame/use-ahead.tsx';
import { storeLook } from '~/features/application/claim/look-store.server.ts';
import { useLive } from '../frame/use-live.tsx';
import { useOpenedFocus } from '../frame/use-opened-focus.tsx';
import { ApplicationPanel } from './application-panel.tsx';
import {
  caseFileDone,
  fieldOfProblem,
  placeOf,
  type CaseFileProblem,
  type CaseFileDone,
} from './case-file-answer.ts';
import { handleCaseFileForm, isCaseFileForm } from './case-file-forms.server.ts';
import { CaseFileSections } from './case-file-sections.tsx';
import { useProblemText, DoneNotice } from './case-file-words.tsx';
import { fellowTravellers } from './fellow-travellers.server.ts';
import { findApplication } from './detail.server.ts';
import { correctableOf } from './correctable.ts';
import { CORRECTION_FIELDS } from './correction-section.tsx';
import type { FieldProblem } from '~/ui/fields/error-summary.tsx';
import { useErrorText } from './error-text.tsx';
import type { DeskError } from './desk-error.ts';
import { REASON_CODE } from './decision-actions.tsx';
import { undoCookie } from './undo-cookie.server.ts';
import { offeredTemplates } from '../settings/offered-templates.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { undoErrors } from './undoable.ts';
import { act } from './forms.server.ts';
import { listQuery, useListAddress } from '../frame/list-address.tsx';
import { openDraft } from './draft.server.ts';
import { activeStaffKnown } from '~/features/staff/account-store.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { compareDocument } from './compare-document.server.ts';
import { marksOf } from './comparison.ts';
import { erasedAtOf } from '../privacy/erased-application-store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { useToast } from '~/ui/page/toast.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Route } from './+types/application.ts';
import { Button } from '~/ui/button.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { LONGEST_STAFF_NOTE, LONGEST_WHY } from './note.ts';
import { MentionList } from '../queue/mention-list.tsx';
import type { Person } from '../queue/mentions.ts';
import { ASSIGNED_MS } from '../queue/assignment.ts';
import { Link } from '~/ui/page/link.tsx';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';
import type { DuplicateView } from './case-file.server.ts';
import { CaseFileForm } from './case-file-form.tsx';

const DAY_MS = 86_400_000;

/** Gives the open application to a colleague, with a note; in a disclosure below its facts. */
function AssignForm({
  colleagues,
  viewerId,
  note,
  error,
}: {
  colleagues: readonly Person[];
  viewerId: string;
  /** What was typed before an error. */
  note: string;
  /** Why it was not assigned. */
  error: string | null;
}) {
  const { t } = useTranslation('for-you');
  return (
    <details className="desk-more" open={error !== null || undefined}>
      <summary>{t('assign.title')}</summary>
      <Form className="grid gap-2.5 pt-1 pb-3" method="post" preventScrollReset>
        <p className="text-ink-2">{t('assign.lead', { days: ASSIGNED_MS / DAY_MS })}</p>
        <SelectField
          defaultValue=""
          emptyLabel={t('assign.choose')}
          error={error}
          label={t('assign.to')}
          name="colleague"
          options={colleagues.map(({ id, name }) => ({
            value: id,
            label: id === viewerId ? t('assign.me', { name }) : name,
          }))}
          required
        />
        <TextArea
          defaultValue={note}
          dir="auto"
          label={t('assign.note')}
          maxLength={LONGEST_STAFF_NOTE}
          name="assignNote"
          rows={2}
        />
        <MentionList into="assignNote" people={colleagues.filter(({ id }) => id !== viewerId)} />
        <Button look="secondary" name="intent" small value="assign" wide>
          {t('assign.send')}
        </Button>
      </Form>
    </details>
  );
}

const doneWords = [
  'processing',
  'approved',
  'rejected',
  'attached',
  'taken',
  'assigned',
  'asked',
  'withdrawn',
  'checked',
  'undone',
] as const;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const found = await findApplication(platform.db, params.number);
  if (!found) throw await noApplication(platform, params.number);
  const now = platform.now();
  const query = new URL(request.url).searchParams;
  if (!found.decidedAt && !query.has('ahead'))
    await storeLook(platform.db, { applicationId: found.id, staffId: staff.id, at: now });
  /** The decision draft that its author left without sending. */
  const keptDraft = async () => {
    const id = query.get('draft') ?? '';
    const kept = await openDraft(platform, staff, { application: found, id });
    if (!kept) return null;
    const { words, rejectionCode, fileId } = kept;
    const comparison = fileId && (await compareDocument(platform, found, fileId));
    const file = fileId && comparison ? { fileId, marks: marksOf(comparison) } : null;
    return { reason: words, code: rejectionCode, file };
  };
  const language = context.get(languageContext);
  const opened = await openCase(platform, staff, found, language);
  await auditOpened(platform, staff, opened);
  const { application } = opened;
  const settings = await currentSettings(platform.db);
  return {
    opened,
    /** Of no use once it is decided. */
    templates: application.decidedAt
      ? null
      : offeredTemplates(settings, application, {
          fields: correctableOf(application),
          language,
          at: now,
        }),
    added: caseFileDone.find((code) => code === query.get('done')) ?? null,
    fellows: await fellowTravellers(platform.db, found),
    viewer: { id: staff.id, role: staff.role },
    colleagues: await activeStaffKnown(platform.db),
    asked: query.has('reject') ? ('reject' as const) : null,
    draft: await keptDraft(),
    done: doneWords.find((word) => word === query.get('done')) ?? null,
    notUndone: undoErrors.find((code) => code === query.get('undo')) ?? null,
    now: now.getTime(),
  } satisfies CasePage & Record<string, unknown>;
}

/** Says whether the application was erased on request; as 410, its data is the day (`PlainDate`). */
async function noApplication({ db, sealer }: Platform, number: string) {
  const erasedAt = await erasedAtOf(db, sealer, number);
  return erasedAt ? data(dateOf(erasedAt, UTC), { status: 410 }) : data(null, { status: 404 });
}

/** One that was loaded ahead is shown at once. */
export async function clientLoader({ params, serverLoader }: Route.ClientLoaderArgs) {
  const ahead = aheadOf(params.number)?.page;
  return isLoaded(ahead) ? ahead : serverLoader();
}

const isLoaded = (ahead: unknown): ahead is Awaited<ReturnType<typeof loader>> =>
  typeof ahead === 'object' && ahead !== null && 'opened' in ahead;

type Answer = {
  error: DeskError | null;
  reason: string;
  reasonCode: string;
  numbers: Numbers | null;
  problem: CaseFileProblem | null;
};
const NOTHING: Answer = { error: null, reason: '', reasonCode: '', numbers: null, problem: null };
type Numbers = { passport: string; supportingDocument: string | null };

export async function action({ request, context, params }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const found = await findApplication(platform.db, params.number);
  if (!found) throw await noApplication(platform, params.number);
  const form = await readForm({ request, context });
  const query = new URL(request.url).searchParams;
  query.delete('undo');
  if (isCaseFileForm(form)) {
    const outcome = await handleCaseFileForm(platform, staff, found.id, form);
    if (!outcome.ok) {
      const { status, ...problem } = outcome.error;
      return data<Answer>({ ...NOTHING, problem }, { status, headers: PRIVATE_PAGE });
    }
    query.set('done', outcome.value);
    return redirect(`/admin/applications/${found.number}?${query}#${placeOf(outcome.value)}`);
  }
  const result = await act(platform, staff, found, form);
  if (result.kind === 'done') {
    // After taking an application over, the rejection's form stays open.
    if (result.word !== 'taken') query.delete('reject');
    query.set('done', result.word);
    const headers = result.word === 'processing' ? undoCookie(platform, staff) : {};
    return redirect(`/admin/applications/${found.number}?${query}#application`, { headers });
  }
  if (result.kind === 'draft') {
    // A separate document, whose own policy allows framing the email and the PDF.
    const list = listQuery(new URL(request.url).search);
    return redirectDocument(`/admin/applications/${found.number}/decision/${result.id}${list}`);
  }
  if (result.kind === 'numbers') {
    return data<Answer>({ ...NOTHING, numbers: result.numbers }, { headers: PRIVATE_PAGE });
  }
  const { error, reason, code: reasonCode } = result;
  return data<Answer>(
    { ...NOTHING, error, reason, reasonCode },
    { status: result.status, headers: PRIVATE_PAGE },
  );
}

export default function ApplicationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('desk');
  const { toast } = useToast();
  const { notUndone } = loaderData;
  const error = actionData?.error ?? (notUndone && { code: notUndone });
  const problem = actionData?.problem ?? null;
  const text = useErrorText(error);
  const problemText = useProblemText(problem);
  const reasonCode = actionData?.reasonCode ?? loaderData.draft?.code ?? '';
  const fieldOf = ({ code }: DeskError) =>
    code === 'reason_required' && reasonCode === '' ? REASON_CODE : (fieldOfError[code] ?? null);
  const problems: FieldProblem[] = [
    ...(error && text ? [{ name: fieldOf(error), message: text }] : []),
    ...(problem && problemText ? [{ name: fieldOfProblem(problem), message: problemText }] : []),
  ];
  // What is wrong with a field is said by the summary alone.
  const failure = problems.find(({ name }) => name === null)?.message;
  useEffect(() => {
    if ((actionData || notUndone) && failure)
      toast({ title: t('error.title'), description: failure, tone: 'error' });
  }, [actionData, notUndone, failure, t, toast]);
  const isAssignError = error?.code === 'unknown_colleague' || error?.code === 'long_note';
  const { viewer, colleagues, asked, draft, done, added, templates } = loaderData;
  const { number, decidedAt } = loaderData.opened.application;
  const { search } = useLocation();
  useCheckAgain(number);
  useOpenedFocus(number, problems.length > 0);
  useLoadAhead({ list: listQuery(search), not: number, isEnding: decidedAt !== null });
  const live = useLive();
  const shown = shownCase(loaderData, live.opened);
  const { application, caseFile } = shown.latest;
  const now = shown.at;
  return (
    <ApplicationPanel
      // Made anew for each application: what was typed, ticked or dropped for one is not about the next.
      key={number}
      application={application}
      asked={asked}
      block={blockOf(shown)}
      forms={shown.forms.application}
      done={error ? null : done}
      duplicates={
        <DuplicateSection
          done={problem ? null : added}
          duplicates={caseFile.duplicates}
          problem={problem}
        />
      }
      assignment={
        <AssignForm
          colleagues={colleagues}
          error={isAssignError ? text : null}
          note={isAssignError ? (actionData?.reason ?? '') : ''}
          viewerId={viewer.id}
        />
      }
      caseFile={
        <CaseFileSections
          application={application}
          done={problem ? null : added}
          caseFile={caseFile}
          colleagues={colleagues}
          now={now}
          problem={problem}
          viewer={viewer}
        />
      }
      errorText={text}
      problems={problems}
      fellows={loaderData.fellows}
      holder={shown.latest.holder}
      isBeingRefunded={caseFile.isBeingRefunded}
      emails={caseFile.emails}
      errorCode={error?.code ?? null}
      madeAt={now}
      numbers={actionData?.numbers ?? null}
      keptFile={draft?.file ?? null}
      reason={(isAssignError ? null : actionData?.reason) ?? draft?.reason ?? ''}
      reasonCode={reasonCode}
      role={viewer.role}
      templates={templates}
    />
  );
}

/** The field that an error of the panel's own forms is about. */
const fieldOfError: Partial<Record<DeskError['code'], string>> = {
  reason_required: 'reason',
  reason_too_long: 'reason',
  reason_unknown: REASON_CODE,
  unknown_colleague: 'colleague',
  long_note: 'colleague',
  fields_required: CORRECTION_FIELDS,
  note_too_long: 'note',
};

/** An unknown number, or one that was erased, leaves the queue in place. */
export function ErrorBoundary() {
  const { t } = useTranslation('desk');
  const language = useLanguage();
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

/** Possible duplicates with the reason for each, and those that were dismissed. */
function DuplicateSection({
  duplicates,
  done,
  problem,
}: {
  duplicates: readonly DuplicateView[];
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
}) {
  const { t } = useTranslation('case-file');
  const open = duplicates.filter(({ dismissal }) => !dismissal);
  const dismissed = duplicates.filter(({ dismissal }) => dismissal);
  return (
    <>
      <DoneNotice done={done} of={['duplicate_dismissed']} />
      {open.length > 0 ? (
        <Notice title={t('duplicates.title', { count: open.length })} tone="amber">
          <p>{t('duplicates.lead')}</p>
          <ul className="mt-2 grid gap-2.5 [&>li+li]:border-t [&>li+li]:border-line-2 [&>li+li]:pt-2.5">
            {open.map((duplicate) => (
              <li key={duplicate.id}>
                <DuplicateFacts duplicate={duplicate} />
                <CaseFileForm
                  about={duplicate.id}
                  intent="dismiss_duplicate"
                  label={t('duplicates.why')}
                  lead={t('duplicates.dismissLead')}
                  longest={LONGEST_WHY}
                  problem={problem}
                  send={t('duplicates.dismissSend')}
                  title={t('duplicates.dismiss')}
                />
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {dismissed.length > 0 ? (
        <details className="desk-more">
          <summary>{t('duplicates.dismissed')}</summary>
          <ul className="desk-history">
            {dismissed.map((duplicate) => (
              <li key={duplicate.id}>
                <DuplicateFacts duplicate={duplicate} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function DuplicateFacts({ duplicate }: { duplicate: DuplicateView }) {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
  const list = useListAddress().replace('/admin', '');
  const { number, name, status, from, until, reasons, dismissal } = duplicate;
  const day = (text: string) => {
    const date = parseDate(text);
    return date ? formatDateShort(date, language) : text;
  };
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link className="desk-link" to={`/admin/applications/${number}${list}#application`}>
          <NumberCode value={number} />
        </Link>
        <ApplicationStatusTag status={status} />
      </p>
      <p>
        <bdi>{name}</bdi>, {t('duplicates.dates', { from: day(from), until: day(until) })}
      </p>
      {reasons.map((reason) => (
        <p key={reason}>{t(`duplicates.reason.${reason}`)}</p>
      ))}
      {dismissal ? (
        <p dir="auto">
          {t('duplicates.dismissedBy', {
            name: dismissal.by,
            moment: formatMoment(dismissal.at, language, UTC, 'dated'),
            why: dismissal.why,
          })}
        </p>
      ) : null}
    </>
  );
}
