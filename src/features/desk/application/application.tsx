import { useEffect } from 'react';
import {
  data,
  isRouteErrorResponse,
  redirect,
  redirectDocument,
  useLocation,
  useRouteError,
  useRouteLoaderData,
} from 'react-router';
import { toPlainDate, formatDate, parseDate, UTC } from '~/base/dates/dates.ts';
import { storeLook } from '~/features/application/claim/claim-store.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { cachedActiveStaff } from '~/features/staff/store.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE, languageContext, platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { useToast } from '~/ui/page/toast.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { listQuery } from '../queue/list-filter.ts';
import { findBlock, shownCase, type CasePage } from '../frame/live-state.ts';
import { loadedAhead, useRevalidation, useLoadAhead, useOpenedFocus } from '../frame/opening.tsx';
import { useLive } from '../frame/use-signals.tsx';
import { erasureMoment } from '../privacy/deletions.server.ts';
import { offeredTemplates } from '../settings/offered-templates.server.ts';
import type { Route } from './+types/application.ts';
import { ApplicationPanel } from './application-panel.tsx';
import { handleCaseForm } from './case-actions.server.ts';
import {
  doneWords,
  refusedField,
  actionRules,
  type CaseProblem,
  applicationCorrectable,
} from './case-actions.ts';
import { CaseProvider } from './case.tsx';
import { compareDocument } from './match-document.server.ts';
import { comparisonMarks } from './pdf-rules.ts';
import { refusalStatus, undoErrors } from './decision-types.ts';
import { findApplication } from './detail.server.ts';
import { openDraft } from './draft.server.ts';
import { useErrorText } from './error-text.tsx';
import { fellowTravellers, auditOpened, openCase } from './open-case.server.ts';
import type { DocumentNumbers } from './store.server.ts';
import { undoCookie } from './undo-record.server.ts';

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
    const file = fileId && comparison ? { fileId, marks: comparisonMarks(comparison) } : null;
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
  const staff = await requireStaff({ request, context });
  const platform = context.get(platformContext);
  const found = await findApplication(platform.db, params.number);
  if (!found) throw await noApplication(platform, params.number);
  const form = await readForm({ request, context });
  const handled = await handleCaseForm(platform, staff, found, form);
  if (!handled.ok) {
    const problem = handled.error;
    const status = refusalStatus(problem.error);
    return data<Answer>({ problem, numbers: null }, { status, headers: PRIVATE_PAGE });
  }
  const { action: performed, draft, numbers } = handled.value;
  const here = `/admin/applications/${found.number}`;
  if (draft !== undefined) {
    // A separate document, whose own policy allows framing the email and the PDF.
    const list = listQuery(new URL(request.url).search);
    return redirectDocument(`${here}/decision/${draft}${list}`);
  }
  if (numbers) return data<Answer>({ problem: null, numbers }, { headers: PRIVATE_PAGE });
  const { done, place = 'application', undoable } = actionRules(performed);
  const query = new URL(request.url).searchParams;
  query.delete('undo');
  // After taking an application over, the rejection's form stays open.
  if (done !== 'taken') query.delete('reject');
  query.set('done', done ?? '');
  const headers = undoable ? undoCookie(platform, staff) : {};
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
