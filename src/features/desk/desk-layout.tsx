import {
  useEffect,
  useRef,
  type ReactNode,
  useMemo,
  type MouseEvent,
  useEffectEvent,
  useState,
} from 'react';
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
  useNavigation,
  useRevalidator,
  Form,
  isRouteErrorResponse,
  useRouteError,
} from 'react-router';
import {
  loadedAhead,
  useDocumentShown,
  isDocumentShown,
  areShortcutsOn,
  isDeskKey,
} from './frame/opening.tsx';
import { Announcer, useAnnounce } from './frame/announcer.tsx';
import { deskSignals } from './frame/signals.server.ts';
import type { FrameData } from './frame/live-state.ts';
import {
  hasJustDecided,
  undoableDecisions,
  type UndoableDecision,
} from './application/undo-record.server.ts';
import { LiveDesk } from './frame/live-desk.tsx';
import { startQuery } from './queue/views.server.ts';
import {
  mustSetUpSecondFactor,
  readSessionEnd,
  optionalStaff,
} from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { PRIVATE_PAGE, platformContext } from '~/platform/http/request.server.ts';
import { hasOutbox } from './setup/outbox.server.ts';
import { TOASTS_ID } from '~/ui/page/toast.tsx';
import type { Route } from './+types/desk-layout.ts';
import { RenderLinkProvider, type LinkProps } from '~/ui/page/link.tsx';
import { makePage, PageProvider } from '~/ui/page/page-context.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useFrame, useLive } from './frame/use-signals.tsx';
import { formatSpan } from './frame/formats.ts';
import { BULK_PAGE } from './several/bulk-actions.ts';
import { listQuery } from './queue/list-filter.ts';
import { FailureReference } from '~/features/site/reference.tsx';
import { Gate } from '~/features/staff/code-field.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { DeskPage } from './frame/desk-page.tsx';

const STEP_MS = 250;
/** Of a decision just taken the whole time is said, not what passed of it meanwhile. */
const FRESH_MS = 3000;

/**
 * One's own decisions that can still be undone, on every page of the desk, so that one can go on working: by its button,
 * or by the key U, which undoes the newest. Without scripts it says what was left when the page was made.
 */
function UndoNotice({
  decisions,
  madeAt,
}: {
  decisions: readonly UndoableDecision[];
  madeAt: number;
}) {
  const { t } = useTranslation('desk');
  const passed = usePassed(madeAt);
  const newest = useRef<HTMLButtonElement>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isDeskKey(event) || event.key.toLowerCase() !== 'u' || !areShortcutsOn()) return;
    if (!newest.current) return;
    event.preventDefault();
    newest.current.click();
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  const open = together(decisions.filter(({ left }) => left > passed));
  useDecisionAnnounced(decisions);
  return (
    <div
      aria-label={t('undo.label')}
      className="flex max-h-[40vh] flex-[1_1_auto] flex-wrap gap-2 overflow-y-auto"
      role="region"
    >
      {open.map((taken, index) => (
        <Taken
          key={taken[0].id}
          left={taken[0].left - passed}
          newest={index === 0 ? newest : null}
          taken={taken}
        />
      ))}
    </div>
  );
}

/** Decisions that were taken at one moment: several in one press. */
type TakenTogether = [UndoableDecision, ...UndoableDecision[]];

function together(decisions: readonly UndoableDecision[]): TakenTogether[] {
  const taken: TakenTogether[] = [];
  for (const one of decisions) {
    const last = taken.at(-1);
    if (last?.[0].age === one.age && last[0].kind === one.kind) last.push(one);
    else taken.push([one]);
  }
  return taken;
}

/** Whom decisions taken together are about. */
function useTakenName(): (taken: TakenTogether) => string {
  const { t } = useTranslation('desk');
  return ([{ name }, ...rest]) =>
    rest.length === 0 ? name : t('undo.more', { name, figure: rest.length });
}

function Taken({
  taken,
  left,
  newest,
}: {
  taken: TakenTogether;
  left: number;
  newest: React.RefObject<HTMLButtonElement | null> | null;
}) {
  const { t, language } = useTranslation('desk');
  const { search } = useLocation();
  const seconds = Math.ceil(left / 1000);
  const name = useTakenName()(taken);
  const [{ kind }] = taken;
  return (
    <Form
      action={taken.length > 1 ? BULK_PAGE : '/admin/undo'}
      className="flex max-w-105 flex-[1_1_320px] flex-wrap items-center gap-x-4 gap-y-1 rounded-[12px] bg-ink px-4 py-2 text-on-ink **:focus-visible:outline-ring-on-ink forced-colors:border"
      data-testid="undo"
      method="post"
      preventScrollReset
    >
      {taken.length > 1 ? <input name="intent" type="hidden" value="undo" /> : null}
      {taken.map(({ id }) => (
        <input key={id} name="decision" type="hidden" value={id} />
      ))}
      <input name="list" type="hidden" value={listQuery(search)} />
      <div className="min-w-0 flex-[1_1_180px]">
        <p className="font-semibold wrap-anywhere text-cream">{t(`undo.done.${kind}`, { name })}</p>
        <p className="text-fine">
          {seconds < MINUTE
            ? t('undo.left', { count: seconds })
            : t('undo.leftLong', {
                span: formatSpan(Math.ceil(seconds / MINUTE) * MINUTE, language),
              })}
        </p>
      </div>
      <button
        aria-keyshortcuts="U"
        className="min-h-11 rounded-field px-3 font-semibold text-cream underline decoration-1 underline-offset-(--underline)"
        ref={newest}
      >
        <span aria-hidden>{t('undo.button')}</span>
        <span className="sr-only">{t('undo.of', { name })}</span>{' '}
        {newest ? <kbd aria-hidden>U</kbd> : null}
      </button>
    </Form>
  );
}

const MINUTE = 60;

/** Says once what was just decided, and how long it can be undone; not what stood in the document from its start. */
function useDecisionAnnounced(decisions: readonly UndoableDecision[]): void {
  const { t, language } = useTranslation('desk');
  const announce = useAnnounce();
  const said = useRef(new Set<string>());
  const [newest] = decisions;
  const nameOf = useTakenName();
  const say = useEffectEvent(() => {
    if (!newest) return;
    const isSaid = said.current.has(newest.id);
    for (const { id } of decisions) said.current.add(id);
    if (isSaid || !isDocumentShown()) return;
    const { age, left } = newest;
    const [taken = [newest]] = together(decisions);
    announce(
      t(areShortcutsOn() ? 'undo.heard' : 'undo.heardNoKey', {
        done: t(`undo.done.${newest.kind}`, { name: nameOf(taken) }),
        span: formatSpan(Math.round((age > FRESH_MS ? left : left + age) / 1000), language),
      }),
    );
  });
  const id = newest?.id;
  useEffect(() => {
    if (id !== undefined) say();
  }, [id]);
}

/** Milliseconds since the page was made, by this browser's own clock. */
function usePassed(madeAt: number): number {
  const [clock, setClock] = useState({ madeAt, passed: 0 });
  useEffect(() => {
    const started = performance.now();
    const tick = () => setClock({ madeAt, passed: performance.now() - started });
    const timer = setInterval(tick, STEP_MS);
    return () => clearInterval(timer);
  }, [madeAt]);
  return clock.madeAt === madeAt ? clock.passed : 0;
}

/** So long before the end of a session its owner is warned (WCAG 2.2, 2.2.1 asks for 20 seconds). */
const WARNING_MS = 3 * 60_000;

/** After its end the session is looked for again, so that the page says that it is over. */
const AFTER_MS = 1000;

/** Warns before the session ends, and lets its owner go on. What other pages of theirs open extends it too. */
function SessionNotice() {
  const { t, language } = useTranslation('desk');
  const announce = useAnnounce();
  const { revalidate, state } = useRevalidator();
  const { end, now } = useSessionEnd();
  const { problem, again } = useLive();
  const cameFrom = useRef<Element | null>(null);
  const endsAt = end?.at ?? null;
  const isNear = endsAt !== null && endsAt - now <= WARNING_MS;

  const look = useEffectEvent(() => again());
  useEffect(() => {
    if (endsAt === null) return undefined;
    const left = endsAt - now;
    // The service is asked both times: another page may have extended it, and then its answer begins this anew.
    const timer = setTimeout(
      () => look(),
      left <= WARNING_MS ? left + AFTER_MS : left - WARNING_MS,
    );
    return () => clearTimeout(timer);
  }, [endsAt, now]);

  const text =
    end && isNear && problem === null
      ? t(end.isFinal ? 'session.final' : 'session.ends', {
          moment: formatMoment(new Date(end.at), language, UTC, 'time'),
        })
      : null;
  useEffect(() => {
    if (text) announce(text);
  }, [text, announce]);

  if (!end || text === null) return null;
  return (
    <section
      aria-labelledby="session-ends"
      className="flex max-w-105 flex-[1_1_320px] flex-wrap items-center gap-x-4 gap-y-1 rounded-[12px] bg-amber-ground px-4 py-2 text-amber-notice forced-colors:border"
      data-testid="session-ends"
    >
      <p className="min-w-0 flex-[1_1_180px] font-semibold" id="session-ends">
        {text}
      </p>
      {end.isFinal ? null : (
        <button
          className="min-h-11 font-semibold underline decoration-1 underline-offset-(--underline)"
          disabled={state !== 'idle'}
          onClick={() => void stay()}
          onFocus={({ relatedTarget }) => {
            cameFrom.current = relatedTarget;
          }}
          type="button"
        >
          {t('session.stay')}
        </button>
      )}
    </section>
  );

  async function stay() {
    await revalidate();
    announce(t('session.stayed'));
    const back = cameFrom.current;
    const place = back instanceof HTMLElement && back.isConnected ? back : null;
    (place ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }
}

/** When the session ends, by what the page or a later answer says, and the service's moment at which it said so. */
function useSessionEnd() {
  const frame = useFrame();
  const { at, sessionEnd } = useLive();
  if (frame && sessionEnd && at > frame.now) return { end: sessionEnd, now: at };
  return { end: frame?.sessionEnd ?? null, now: frame?.now ?? 0 };
}

const DESK = /^\/admin(\/|\?|#|$)|^[?#]/;

/** Tells shared components what the client router is doing. */
function RouterPage({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const { state, formData } = useNavigation();
  const navigate = useNavigate();
  const sending = state === 'idle' ? null : (formData ?? NOTHING);
  const page = useMemo(
    () => ({ ...makePage('', { pathname, search }), sending }),
    [pathname, search, sending],
  );
  const renderLink = useMemo(() => linkRenderer(navigate), [navigate]);
  return (
    <RenderLinkProvider value={renderLink}>
      <PageProvider value={page}>{children}</PageProvider>
    </RenderLinkProvider>
  );
}

/**
 * Within the desk the router navigates; visitors' pages always load a document. Not the router's own `Link`, which
 * resolves addresses that are complete already: for the two dozen of the queue that took a twelfth of the page's
 * rendering.
 */
const linkRenderer = (navigate: ReturnType<typeof useNavigate>) =>
  function renderLink({ to, onClick, preventScrollReset, children, ...rest }: LinkProps) {
    function follow(event: MouseEvent<HTMLAnchorElement>) {
      onClick?.(event);
      const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
      event.preventDefault();
      const replace = event.currentTarget.href === location.href;
      void navigate(to, { preventScrollReset, replace });
    }
    const goesOn = rest.target === undefined && DESK.test(to);
    return (
      <a {...rest} href={to} onClick={goesOn ? follow : onClick}>
        {children}
      </a>
    );
  };

/** Form data of a navigation without a submit. */
const NOTHING = new FormData();

/** Of all pages of the desk; those with other headers name theirs. */
export const headers = () => PRIVATE_PAGE;

/** Staff compare PDFs and emails of ours on several pages. See `RouteHandle`. */
export const handle = { framesOwn: true };

/** The data of the frame of every desk page; null for visitors, who see the sign-in page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await optionalStaff({ request, context });
  const platform = context.get(platformContext);
  const isIn = staff !== null && !mustSetUpSecondFactor(platform, staff);
  const now = platform.now();
  const [signals, undoable, start, sessionEnd] = isIn
    ? await Promise.all([
        deskSignals(platform.db, staff, now),
        hasJustDecided(platform, request) ? undoableDecisions(platform.db, staff, now) : [],
        startQuery(platform, staff),
        readSessionEnd({ request, context }),
      ])
    : [null, [], '', null];
  const person = staff && {
    name: staff.name,
    isNamed: staff.isNamed,
    role: staff.role,
    seesOutbox: hasOutbox(platform) && may(staff.role, 'view_outbox'),
  };
  return {
    person,
    signals,
    undoable,
    now: now.getTime(),
    start,
    sessionEnd,
  } satisfies FrameData & Record<string, unknown>;
}

/**
 * Counts change with every page that is opened. An application that was loaded ahead is shown without waiting for them; it
 * asks for them itself.
 */
export const shouldRevalidate = ({ nextParams }: ShouldRevalidateFunctionArgs) =>
  loadedAhead(nextParams.number) === null;

export default function DeskLayout({ loaderData }: Route.ComponentProps) {
  useDocumentShown();
  return (
    <RouterPage>
      <Announcer>
        <LiveDesk isOn={loaderData.signals !== null}>
          <Outlet />
          <MessagePlace>
            <SessionNotice />
            <UndoNotice decisions={loaderData.undoable} madeAt={loaderData.now} />
          </MessagePlace>
        </LiveDesk>
      </Announcer>
    </RouterPage>
  );
}

/** Of every page that is forbidden, missing, or failed. */
export function ErrorBoundary() {
  return (
    <RouterPage>
      <Announcer>
        <DeskFailure />
      </Announcer>
    </RouterPage>
  );
}

/** How high it is, for what else keeps to the bottom of the screen (`desk.css`). */
const SIZE = '--desk-messages-size';

/**
 * Where passing messages of the desk stand: below the page, and at the bottom of the screen while that is scrolled. It is
 * part of the layout, so that no message lies on a button: what has its place above it makes room.
 */
function MessagePlace({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() => {
      root.setProperty(SIZE, `${place.current?.offsetHeight ?? 0}px`);
    });
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      root.removeProperty(SIZE);
    };
  }, []);
  return (
    <div className="desk-messages print:hidden" ref={place}>
      {children}
      <div id={TOASTS_ID} />
    </div>
  );
}

/** A page of the desk that is forbidden, missing, or failed. */
function DeskFailure() {
  const { t } = useTranslation('books');
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const key = status === 403 ? 'forbidden' : status === 404 ? 'missing' : 'failed';
  return (
    <DeskPage isGate>
      <title>{`${t(`error.${key}.title`)} – Lale`}</title>
      <Gate>
        <h1>{t(`error.${key}.title`)}</h1>
        <p className="mt-1 mb-5 text-ink-2">{t(`error.${key}.text`)}</p>
        {key === 'failed' ? <FailureReference className="mt-1 mb-5 text-ink-2" /> : null}
        <ButtonLink to="/admin">{t('error.back')}</ButtonLink>
      </Gate>
    </DeskPage>
  );
}
