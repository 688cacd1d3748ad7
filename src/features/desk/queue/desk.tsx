import { useMemo, type ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Outlet, redirect, redirectDocument, useParams, Form } from 'react-router';
import { z } from 'zod';
import type { Language } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import { countryOptions } from '~/features/catalog/names.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { isMistypedNumber } from '~/features/application/number.ts';
import { loadedAhead, useClosedFocus } from '../frame/opening.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { DeskKeys } from './desk-keys.tsx';
import {
  filterQuery,
  isNarrowed,
  type QueueKind,
  VIEW_RESULT,
  viewQuery,
  viewResults,
  MAX_VIEW_NAME_LENGTH,
  MAX_VIEWS,
  type QueueView,
  type ViewResult,
} from './list-filter.ts';
import { BulkBar } from './bulk-bar.tsx';
import { PdfDrop } from '../several/pdf-drop.tsx';
import { NO_NEXT } from './next.server.ts';
import { useLiveQueue } from '../frame/live-desk.tsx';
import {
  FigureLine,
  ListChoice,
  NoNext,
  PageLinks,
  TakeNext,
  QueueFilters,
  SearchNote,
} from './queue-controls.tsx';
import { QueueTable } from './queue-table.tsx';
import type { MarkupOption } from '~/ui/fields/option-markup.ts';
import { readListQuery, searchElsewhere } from './open-search.server.ts';
import { typedText } from './search-words.ts';
import { accountStartPage, viewsByStaff } from './views.server.ts';
import { Link } from '~/ui/page/link.tsx';
import { useClock } from '~/ui/use-now.tsx';
import { plans } from '~/features/insurance/rules/plans.ts';
import { processingTypes } from '~/features/visa/rules/speeds.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { knownDeviceCookie } from '~/features/staff/known-device.server.ts';
import { pageBeforeDesk, optionalSession } from '~/features/staff/require.server.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { sessionCookie, sessionToken, toStaff } from '~/features/staff/session.server.ts';
import { singleSignOnOffer } from '~/features/staff/sign-on.server.ts';
import { SignInForm, type SignInProblem } from '~/features/staff/sign-in-form.tsx';
import {
  canShowPasskey,
  signInWithPasskey,
} from '~/features/staff/passkeys/passkey-sign-in.server.ts';
import { confirmSignIn, signIn, type OpenedSignIn } from '~/features/staff/sign-in.server.ts';
import { pageAfterSignIn } from '~/features/staff/staff.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import {
  limitedPrivatePage,
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { giveCookie, withCookieCheck } from '~/platform/http/cookies.server.ts';
import type { Route } from './+types/desk.ts';
import { openQueue, type QueueRow } from './queue.server.ts';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Actions, Pill, Pills } from '../frame/panel.tsx';

const SAVE = 'save';
const done: readonly ViewResult[] = ['saved', 'removed', 'shared', 'unshared', 'start', 'no_start'];

type Shown = {
  views: readonly QueueView[];
  /** Of the list that is shown, as a view keeps it. */
  query: string;
  result: ViewResult | null;
};

/** The views above the queue, and what was done with one. */
function ViewPills({ views, query, result }: Shown) {
  const { t } = useTranslation('views');
  const limits = { length: MAX_VIEW_NAME_LENGTH, most: MAX_VIEWS };
  return (
    <>
      {result ? (
        <Notice
          className="mt-3"
          role={done.includes(result) ? 'status' : 'alert'}
          tone={done.includes(result) ? 'green' : 'red'}
        >
          {t(`result.${result}`, limits)}
        </Notice>
      ) : null}
      {views.length === 0 ? null : (
        <Pills className="mt-1.5" label={t('label')}>
          {views.map((view) => (
            <Pill
              aria-current={view.query === query ? 'page' : undefined}
              key={view.id}
              to={`/admin${view.query}`}
            >
              <bdi>{view.name}</bdi>
              {view.isStart ? <span className="sr-only"> {t('isStart')}</span> : null}
              {view.owner === '' ? null : (
                <span className="sr-only"> {t('by', { name: view.owner })}</span>
              )}
            </Pill>
          ))}
        </Pills>
      )}
    </>
  );
}

/** What can be done with the list that is shown: save it, and more where it is a view. */
function ViewForms({ views, query, result, role }: Shown & { role: Role }) {
  const { t } = useTranslation('views');
  const shown = views.filter((view) => view.query === query);
  return (
    <details
      className="desk-more open:basis-full"
      open={(result !== null && !done.includes(result)) || undefined}
    >
      <summary>{t('title')}</summary>
      <div className="grid max-w-[640px] gap-3 border-b border-line pt-2 pb-4">
        {shown.map((view) => (
          <ShownView key={view.id} query={query} role={role} view={view} />
        ))}
        <Form action="/admin/views" className="flex flex-wrap items-end gap-3" method="post">
          <input name="list" type="hidden" value={query} />
          <label className="grid gap-1 text-fine text-ink-2">
            <span>{t('name')}</span>
            <input className="control m-0" maxLength={MAX_VIEW_NAME_LENGTH} name="name" required />
          </label>
          <input name="intent" type="hidden" value={SAVE} />
          <Button small>{t('save')}</Button>
        </Form>
        <p className="text-fine text-ink-2">{t('hint')}</p>
      </div>
    </details>
  );
}

/** What can be done with the view that is shown: begin with it, share it, remove it. */
function ShownView({ view, query, role }: { view: QueueView; query: string; role: Role }) {
  const { t } = useTranslation('views');
  const mayShare = may(role, 'share_view');
  const isOwn = view.owner === '';
  return (
    <Form action="/admin/views" method="post">
      <input name="list" type="hidden" value={query} />
      <input name="id" type="hidden" value={view.id} />
      <p>
        <strong>
          <bdi>{view.name}</bdi>
        </strong>
        {isOwn ? null : ` – ${t('by', { name: view.owner })}`}
      </p>
      <Actions>
        {view.isStart ? (
          <ViewButton does="no_start">{t('noStart')}</ViewButton>
        ) : (
          <ViewButton does="start">{t('start')}</ViewButton>
        )}
        {!mayShare ? null : view.shared ? (
          <ViewButton does="unshare">{t('unshare')}</ViewButton>
        ) : isOwn ? (
          <ViewButton does="share">{t('share')}</ViewButton>
        ) : null}
        {isOwn || mayShare ? <ViewButton does="remove">{t('remove')}</ViewButton> : null}
      </Actions>
    </Form>
  );
}

/** Sends the form that it stands in, to the page of views. */
const ViewButton = ({ does, children }: { does: string; children: ReactNode }) => (
  <button className="link-button" name="intent" value={does}>
    {children}
  </button>
);

/*
 * The rows of a list, and two hundred nationalities for a filter that is usually closed, are sent to the browser as one
 * text each: serialising thousands of values separately takes the router half as long as React takes for the page.
 */

/** Reads rows that were written as JSON. */
const readRows = (text: string): QueueRow[] =>
  JSON.parse(text, (name, value) =>
    name.endsWith('At') && typeof value === 'string' ? new Date(value) : value,
  );

export const headers = limitedPrivatePage;

/** The queue; without a session, the sign-in page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const found = await optionalSession({ request, context });
  if (!found || found.session.half) {
    const next = pageAfterSignIn(query.get('next'));
    const isReset = query.has('reset');
    // A browser that signed out, or never signed in, has no cookie.
    const isEnded = !found && query.has('next') && sessionToken(platform, request) !== undefined;
    const singleSignOn = singleSignOnOffer(platform);
    const passkeys = await canShowPasskey(platform, found?.account.id ?? null);
    const needsCode = found !== null;
    return { staff: null, needsCode, next, isEnded, isReset, singleSignOn, passkeys } as const;
  }
  const staff = toStaff(found.account, found.session);
  const first = pageBeforeDesk(platform, staff);
  if (first !== null) throw redirect(first);
  const { filter, search, sealedSearch } = readListQuery(platform, query);
  const { kind } = filter;
  const now = platform.now();
  const language = context.get(languageContext);
  const looking = { staffId: staff.id, now };
  const [{ queue, figures, counts }, elsewhere, countries, views] = await Promise.all([
    openQueue(platform, staff, filter),
    searchElsewhere(platform.db, filter, looking),
    allCountries(platform),
    viewsByStaff(platform, staff),
  ]);
  await audit(platform.db, {
    at: now,
    staffId: staff.id,
    action: 'applications_listed',
    subject: { kind: 'queue', id: kind },
    detail: { count: queue.rows.length, searched: filter.search !== null },
  });
  const { search: _, ...list } = filter;
  const isNear = filter.search?.isNear === true;
  return {
    staff,
    list: { ...list, sealedSearch },
    search: typedText(search),
    isNear,
    isMistyped: isMistypedNumber(search),
    views,
    viewResult: viewResults.find((code) => code === query.get(VIEW_RESULT)) ?? null,
    elsewhere,
    queue: { ...queue, rows: JSON.stringify(queue.rows) },
    figures,
    counts,
    now: now.getTime(),
    noNext: query.get(NO_NEXT),
    nationalities: nationalitiesIn(countries, language),
  };
}

/** Beside an application that was loaded ahead, its list comes from there. */
export async function clientLoader({ params, serverLoader }: Route.ClientLoaderArgs) {
  const ahead = loadedAhead(params.number)?.queue;
  return isLoaded(ahead) ? ahead : serverLoader();
}

const isLoaded = (ahead: unknown): ahead is Awaited<ReturnType<typeof loader>> =>
  typeof ahead === 'object' && ahead !== null && 'queue' in ahead;

const nationalitiesIn = oncePerLanguage((countries: readonly Country[], language: Language) =>
  JSON.stringify(countryOptions(countries, language)),
);

const typed = z.object({
  email: z.string().max(320).default(''),
  password: z.string().max(1000).default(''),
  code: z.string().max(40).optional(),
  /** What the browser answered for a passkey, as JSON. */
  passkey: z.string().max(20_000).optional(),
  next: z.string().max(200).default(''),
});

export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const form = typed.safeParse(Object.fromEntries(await readForm({ request, context })));
  if (!form.success) return problem({ code: 'wrong_password' }, '');
  const { email, password, code, passkey, next } = form.data;
  const address = context.get(addressContext);
  if (passkey !== undefined) {
    const shown = await signInWithPasskey(platform, request, { response: passkey, address });
    return shown.ok ? enter(shown.value) : problem(shown.error, '');
  }
  if (code === undefined && email.trim() === '') return problem({ code: 'email_required' }, email);
  if (code === undefined && password === '') return problem({ code: 'password_required' }, email);
  if (code?.trim() === '') return problem({ code: 'code_required' }, email);
  const outcome =
    code === undefined
      ? await signIn(platform, request, { email, password, address })
      : await confirmSignIn(platform, request, code);
  if (!outcome.ok) return problem(outcome.error, email);
  return enter(outcome.value);

  async function enter({ token, half, accountId }: OpenedSignIn) {
    const page = pageAfterSignIn(next);
    const start = half || page !== '/admin' ? '' : await accountStartPage(platform, accountId);
    const way = half ? `/admin?next=${encodeURIComponent(page)}` : `${page}${start}`;
    const headers = new Headers();
    giveCookie(headers, sessionCookie(platform, token));
    if (!half) giveCookie(headers, knownDeviceCookie(platform, request, accountId));
    // A browser without cookies goes by a document, which is told where it blocks ours.
    const go = request.headers.get('cookie') ? redirect : redirectDocument;
    return go(withCookieCheck(request, headers, way), { headers });
  }
}

const statusOf: Partial<Record<SignInProblem['code'], number>> = {
  wrong_password: 401,
  wrong_code: 401,
  wrong_passkey: 401,
  signed_out: 401,
  too_many: 429,
};

function problem(error: SignInProblem, email: string) {
  const headers = new Headers();
  if (error.code === 'too_many') headers.set('Retry-After', String(error.retryAfterSeconds));
  return data({ problem: error, email }, { status: statusOf[error.code] ?? 422, headers });
}

export default function Desk({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.staff === null) {
    return (
      <DeskPage isGate>
        <SignInForm
          email={actionData?.email}
          isEnded={loaderData.isEnded}
          isReset={loaderData.isReset}
          needsCode={loaderData.needsCode}
          next={loaderData.next}
          problem={actionData?.problem}
          passkeys={loaderData.passkeys}
          singleSignOn={loaderData.singleSignOn}
        />
      </DeskPage>
    );
  }
  return <Queue {...loaderData} />;
}

type QueueData = Extract<Route.ComponentProps['loaderData'], { list: unknown }>;

function Queue({
  staff,
  list,
  search,
  isNear,
  isMistyped,
  views,
  viewResult,
  elsewhere,
  noNext,
  nationalities,
  queue: { rows, ...sent },
  figures: sentFigures,
  counts: sentCounts,
  now: sentAt,
}: QueueData) {
  const { t } = useTranslation(['desk', 'pdfs']);
  const { number } = useParams();
  useClosedFocus(number);
  const read = useMemo(() => readRows(rows), [rows]);
  const {
    queue,
    figures,
    counts,
    now: madeAt,
  } = useLiveQueue({
    queue: { ...sent, rows: read },
    figures: sentFigures,
    counts: sentCounts,
    now: sentAt,
  });
  const now = useClock(madeAt);
  const services = useServices(list.kind);
  const options = useMemo((): MarkupOption[] => JSON.parse(nationalities), [nationalities]);
  const countries = useMemo(() => new Map(options.map(({ id, name }) => [id, name])), [options]);
  const query = filterQuery(list);
  const ofView = viewQuery(query);
  const takesPdfs = number === undefined && may(staff.role, 'approve');
  const empty = queue.isTooSlow
    ? 'tooSlow'
    : search !== ''
      ? isMistyped
        ? 'emptyMistyped'
        : 'emptySearch'
      : isNarrowed(list)
        ? 'emptyList'
        : list.kind === 'visa'
          ? 'emptyVisa'
          : 'emptyInsurance';
  return (
    <DeskPage
      panel={number === undefined ? undefined : <Outlet />}
      search={{ text: search, tab: list.kind }}
    >
      {number === undefined ? <title>{`${t('title')} – Lale`}</title> : null}
      <h1 className="sr-only">{t('title')}</h1>
      <FigureLine figures={figures} />
      <ListChoice counts={counts} figures={figures} list={list} />
      {takesPdfs ? <PdfDrop /> : null}
      {noNext === null ? null : <NoNext list={list} why={noNext} />}
      <ViewPills query={ofView} result={viewResult} views={views} />
      {/* In one row while what opens is closed: the list begins as high as it can. */}
      <div className="mt-2 mb-3 flex flex-wrap items-center gap-x-6">
        <TakeNext list={list} selected={number} />
        {takesPdfs ? (
          <Link className="desk-link min-h-11" to="/admin/pdfs">
            {t('pdfs:link')}
          </Link>
        ) : null}
        <ViewForms query={ofView} result={viewResult} role={staff.role} views={views} />
        <QueueFilters
          isView={views.some((view) => view.query === ofView)}
          list={list}
          options={{ nationalities: options, services }}
        />
      </div>
      {elsewhere ? (
        <SearchNote
          elsewhere={elsewhere}
          found={queue}
          isNear={isNear}
          list={list}
          search={search}
        />
      ) : null}
      {queue.rows.length === 0 ? (
        <p className="py-10 text-ink-2">{t(`queue.${empty}`)}</p>
      ) : (
        <>
          <QueueTable
            countries={countries}
            namesKind={elsewhere !== null}
            now={now}
            query={query}
            rows={queue.rows}
            selected={number}
          />
          <BulkBar
            hasKeys={number === undefined}
            kind={list.kind}
            list={query}
            role={staff.role}
            rows={queue.rows}
          />
        </>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-2.5 py-3 text-fine text-ink-2">
        <DeskKeys />
        <PageLinks list={list} queue={queue} />
      </div>
    </DeskPage>
  );
}

/** The names of an application kind's speeds or plans. */
function useServices(kind: QueueKind) {
  const { t } = useTranslation(['desk', 'application']);
  const ids = kind === 'insurance' ? plans.map(({ id }) => id) : processingTypes;
  return ids.map((id) => ({ id, name: t(`application:service.${id}.name`) }));
}
