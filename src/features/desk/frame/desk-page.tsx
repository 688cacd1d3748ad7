import '~/ui/css/staff.css';
import './desk.css';
import { type ComponentProps, type ReactNode, useEffect, useRef, useLayoutEffect } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form, useNavigation, useLocation } from 'react-router';
import { LanguageButton, LanguageMenu } from '~/features/site/frame/language-menu.tsx';
import { Logo } from '~/features/site/frame/logo.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Notice } from '~/ui/notice.tsx';
import { ToastProvider } from '~/ui/page/toast.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { DoneMessage } from './announcer.tsx';
import { Column, Pill, Pills, UpLink } from './panel.tsx';
import { SkipLink } from '~/ui/skip-link.tsx';
import { useSendKey, areShortcutsOn, isDeskKey } from './opening.tsx';
import { LiveNotice, useFrame, useSignals, useStart } from './use-signals.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { Icon } from '~/ui/icon.tsx';
import { classNames } from '~/ui/class-names.ts';
import { MenuButton, MenuPanel } from '~/ui/menu.tsx';
import { signalNames, type FramePerson, type SignalName } from './live-state.ts';
import type { TextKey } from '~/base/text-keys.ts';
import { may, type Role } from '~/features/staff/roles.ts';

/** A page of the desk in the navigation. */
type DeskPlace = {
  readonly to: string;
  /** The text key of its name. */
  readonly key: TextKey<'desk'>;
  /** What is counted beside it. */
  readonly signals?: readonly SignalName[];
};

/**
 * The rooms of the desk that a role may enter, in the order of the navigation: the pages of one subject stand behind one
 * link. `outbox`: whether there is one for this person.
 */
function roomsByRole(role: Role, outbox: boolean): readonly (readonly DeskPlace[])[] {
  const administers = may(role, 'administer');
  const rooms: readonly (readonly (DeskPlace | false)[])[] = [
    [{ to: '/admin', key: 'nav.queue', signals: ['corrections', 'undelivered'] }],
    [{ to: '/admin/for-you', key: 'for-you:nav', signals: ['forYou'] }],
    [{ to: '/admin/refunds', key: 'nav.refunds', signals: ['refunds'] }],
    [
      may(role, 'view_payments') && {
        to: '/admin/payments',
        key: 'books:nav.payments',
        signals: ['alerts'],
      },
    ],
    [
      may(role, 'view_statistics') && { to: '/admin/figures', key: 'figures:nav' },
      may(role, 'second_look') && {
        to: '/admin/second-looks',
        key: 'figures:looks.title',
        signals: ['looks'],
      },
    ],
    [administers && { to: '/admin/privacy', key: 'privacy:nav', signals: ['requests'] }],
    [
      administers && { to: '/admin/accounts', key: 'nav.accounts' },
      may(role, 'view_audit') && { to: '/admin/audit', key: 'books:nav.audit' },
    ],
    [
      may(role, 'close_days') && {
        to: '/admin/settings',
        key: 'settings:nav',
        signals: ['proposals'],
      },
      outbox && { to: '/admin/outbox', key: 'nav.outbox' },
    ],
  ];
  return rooms
    .map((pages) => pages.filter((page) => page !== false))
    .filter((pages) => pages.length > 0);
}

/** The rooms of a person, and the page that is open with its room; undefined for a page of no room. */
function useRooms({ role, seesOutbox }: FramePerson) {
  const { pathname } = useLocation();
  const rooms = roomsByRole(role, seesOutbox);
  const here = rooms
    .flat()
    .findLast(({ to }) => pathname === to || (to !== '/admin' && pathname.startsWith(`${to}/`)));
  const isOfQueue = /^\/admin\/(applications|orders|pdfs)\//.test(pathname);
  const page = here ?? (isOfQueue ? rooms[0]?.[0] : undefined);
  return { rooms, page, room: rooms.find((pages) => page && pages.includes(page)) };
}

const PANEL = 'desk-pages';

/** The rooms of the desk: a row of links, on narrow screens a menu, which opens without scripts too. */
function DeskNavigation(person: FramePerson) {
  const { t } = useTranslation('desk');
  const signals = useSignals();
  const { rooms, room } = useRooms(person);
  const waiting = signalNames.reduce((sum, name) => sum + signals[name], 0);
  return (
    <>
      <MenuButton
        button={
          <>
            <Icon name="menu" />
            <span>{t('nav.menu')}</span>
            {waiting > 0 ? <Badge count={waiting} /> : null}
          </>
        }
        buttonClass="flex min-h-11 items-center gap-2 rounded-field border border-line-2 px-3 wide:hidden"
        id={PANEL}
      />
      {/* A menu on narrow screens, a row on wide ones. */}
      <MenuPanel
        className="max-wide:min-w-60 wide:static wide:m-0 wide:block wide:overflow-visible wide:border-0 wide:p-0 wide:shadow-none"
        id={PANEL}
      >
        <nav aria-label={t('nav.label')} className="flex flex-wrap max-wide:flex-col">
          {rooms.map((pages) => (
            <RoomLink isHere={pages === room} key={pages[0]?.key} pages={pages} />
          ))}
        </nav>
      </MenuPanel>
    </>
  );
}

/** The pages of the room that is open, where it has several. */
function RoomPages(person: FramePerson) {
  const { t } = useTranslation('desk');
  const { page, room } = useRooms(person);
  if (!room || room.length < 2) return null;
  const [first] = room;
  return (
    <Pills className="mb-4 *:min-h-11 print:hidden" label={first ? t(first.key) : ''}>
      {room.map(({ to, key }) => (
        <Pill aria-current={to === page?.to ? 'page' : undefined} key={key} to={to}>
          {t(key)}
        </Pill>
      ))}
    </Pills>
  );
}

const LINK =
  'flex min-h-11 items-center gap-2 px-3 whitespace-nowrap text-ink-2 max-wide:justify-between wide:border-b-2 wide:border-transparent wide:max-[68.75rem]:px-2';
/** A room by the name of its first page, with what waits on any of them. */
function RoomLink({ pages, isHere }: { pages: readonly DeskPlace[]; isHere: boolean }) {
  const { t } = useTranslation('desk');
  const signals = useSignals();
  const start = useStart();
  const [first] = pages;
  if (!first) return null;
  const { to, key } = first;
  return (
    <Link
      aria-current={isHere ? 'page' : undefined}
      className={classNames(
        LINK,
        'no-underline current:font-semibold current:text-ink max-wide:rounded-field max-wide:current:bg-turquoise-pale wide:current:border-turquoise',
      )}
      onClick={closeMenu}
      to={to === '/admin' ? `/admin${start}` : to}
    >
      {t(key)}
      {pages
        .flatMap(({ signals: counted = [] }) => counted)
        .map((signal) =>
          signals[signal] > 0 ? (
            <Badge
              count={signals[signal]}
              key={signal}
              text={t(`nav.signal.${signal}`, { count: signals[signal] })}
            />
          ) : null,
        )}
    </Link>
  );
}

/** With client navigation the document stays, and with it the open menu. */
function closeMenu(): void {
  const panel = document.getElementById(PANEL);
  if (panel?.matches(':popover-open')) panel.hidePopover();
}

/** A count; `text` says for screen readers what is counted. */
function Badge({ count, text }: { count: number; text?: string }) {
  return (
    <span
      className="figures min-w-5 rounded-full bg-red px-1.5 text-center text-tiny/5 font-semibold text-paper"
      data-testid="signal"
      title={text}
    >
      <span aria-hidden={text === undefined ? undefined : true}>{count > 99 ? '99+' : count}</span>
      {text === undefined ? null : <span className="sr-only">{text}</span>}
    </span>
  );
}

/** The form that was sent: by what it does, and about what. */
type Sent = { intent: string; about: string };

/**
 * Puts the focus back to where a form was sent from, once its answer is shown and what had the focus is gone. It is never
 * left on the body, where the next letters of somebody who types on would be shortcuts.
 */
function useKeptFocus(): void {
  const { state } = useNavigation();
  const sent = useRef<Sent | null>(null);
  useEffect(() => {
    const submit = ({ target, submitter }: SubmitEvent) => {
      if (!(target instanceof HTMLFormElement)) return;
      const form = new FormData(target, submitter);
      sent.current = { intent: textOf(form, 'intent'), about: textOf(form, 'about') };
    };
    document.addEventListener('submit', submit, true);
    return () => document.removeEventListener('submit', submit, true);
  }, []);
  useEffect(() => {
    const last = sent.current;
    if (state !== 'idle' || !last) return;
    sent.current = null;
    if (document.activeElement === null || document.activeElement === document.body)
      placeOf(last)?.focus({ preventScroll: true });
  }, [state]);
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The first field of the same form, or of one that does the same; otherwise what it brought, the open case or the page. */
function placeOf({ intent, about }: Sent): HTMLElement | null {
  const forms = [...document.forms].filter((form) =>
    [...form.elements].some((one) => isNamed(one, 'intent', intent)),
  );
  const same = forms.find((form) => [...form.elements].some((one) => isNamed(one, 'about', about)));
  const form = same ?? forms[0];
  const around = form?.closest('details');
  if (around && !around.open) return around.querySelector('summary');
  return (
    form?.querySelector<HTMLElement>('textarea, select, input:not([type="hidden"])') ??
    form?.querySelector<HTMLElement>('button') ??
    document.querySelector<HTMLElement>(`[data-after="${CSS.escape(intent)}"]`) ??
    document.getElementById('application-name') ??
    document.getElementById('main')
  );
}

const isNamed = (one: Element, name: string, value: string): boolean =>
  value !== '' &&
  (one instanceof HTMLInputElement || one instanceof HTMLButtonElement) &&
  one.name === name &&
  one.value === value;

const NO_SEARCH = { text: '', tab: '' };

/** A page of the desk in its frame. */
export function DeskPage({
  isGate = false,
  search = NO_SEARCH,
  panel,
  children,
}: {
  /** A page before the desk, such as that of signing in: its frame leads nowhere, whoever sees it. */
  isGate?: boolean;
  /** The text in the search box, and the kind of application shown first. */
  search?: { text: string; tab: string };
  panel?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('desk');
  const { pathname } = useLocation();
  const frame = useFrame();
  const person = (!isGate && frame?.person) || null;
  useKeptFocus();
  useSendKey();
  return (
    <ToastProvider>
      <SkipLink>{t('skip')}</SkipLink>
      {/* Denser type (14/20), a white header, the content and a panel at the end. */}
      <div className="desk">
        <header
          className={classNames(
            'flex min-h-14 flex-wrap items-center gap-x-7 border-b border-line px-(--gutter) max-wide:gap-x-3 max-wide:py-2',
            // The links stand in one row below the header's other parts, and wrap.
            person ? 'wide:max-[112.5rem]:pt-2 min-[112.5rem]:flex-nowrap' : 'wide:flex-nowrap',
          )}
        >
          <div className="flex items-center gap-3">
            <Logo label={`Lale ${t('brand')}`} small to="/admin" />
            <span className="text-[0.8125rem] font-medium text-ink-2">{t('brand')}</span>
          </div>
          {person ? (
            <>
              <div className="flex self-stretch max-wide:order-1 max-wide:my-2 wide:max-[68.75rem]:-mx-2 min-[68.75rem]:max-[112.5rem]:-mx-3 wide:max-[112.5rem]:order-2 wide:max-[112.5rem]:flex-[1_0_100%] print:hidden">
                <DeskNavigation {...person} />
              </div>
              <div className="ms-auto max-w-[300px] flex-[1_1_240px] max-wide:order-1 max-wide:my-2 max-wide:max-w-none max-wide:basis-40 print:hidden">
                <SearchBox {...search} />
              </div>
            </>
          ) : null}
          <div
            className={classNames(
              'flex items-center gap-4 text-fine/4.5 max-wide:gap-3 wide:max-[112.5rem]:order-1 print:hidden [&_:is(a,button)]:whitespace-nowrap',
              !person && 'ms-auto',
            )}
          >
            <PersonArea person={person} />
          </div>
        </header>
        <div
          className={classNames(
            'wide:grid wide:min-h-[calc(100vh-var(--desk-header-size)-var(--desk-messages-size))]',
            panel === undefined
              ? 'wide:grid-cols-1'
              : 'wide:grid-cols-[minmax(0,1fr)_376px] wide:has-[#message]:grid-cols-[minmax(0,1fr)_minmax(376px,540px)]',
          )}
        >
          {/* A container, because with the panel open the list's width is not that of the screen. */}
          <main
            className="@container/desk-main min-w-0 px-(--gutter) pt-5 pb-10 outline-none"
            id="main"
            tabIndex={-1}
          >
            {person ? (
              <>
                {/* Not where it leads to. */}
                {person.isNamed || pathname === '/admin/name' ? null : (
                  <NameNotice name={person.name} />
                )}
                <PartnerBanner />
                <UndeliveredBanner />
                <FeastsBanner />
                <LiveNotice />
                <RoomPages {...person} />
              </>
            ) : null}
            {children}
          </main>
          {panel === undefined ? null : (
            <aside
              aria-label={t('panel')}
              className="border-line max-wide:border-t-4 wide:border-s"
            >
              {panel}
            </aside>
          )}
        </div>
      </div>
    </ToastProvider>
  );
}

/** A page of sections with forms, in a readable width: the way up, what was wrong, and what was done. */
export function FormPage({
  title,
  lead,
  up,
  problems = [],
  done,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** The page that lists this one. */
  up?: { to: string; label: string };
  problems?: ComponentProps<typeof FormHead>['problems'];
  done?: string | null;
  children: ReactNode;
}) {
  return (
    <DeskPage>
      <Column>
        {up ? <UpLink to={up.to}>{up.label}</UpLink> : null}
        <FormHead problems={problems} title={`${title} – Lale`} />
        <h1>{title}</h1>
        {lead === undefined ? null : <p className="text-ink-2">{lead}</p>}
        {done ? <DoneMessage>{done}</DoneMessage> : null}
        {children}
      </Column>
    </DeskPage>
  );
}

/** Asks the first administrator for their name, by which colleagues and documents call them. */
function NameNotice({ name }: { name: string }) {
  const { t } = useTranslation('staff');
  return (
    <Notice className="mb-4" tone="amber">
      {t('name.notice', { name })} <Link to="/admin/name">{t('name.title')}</Link>
    </Notice>
  );
}

function PersonArea({ person }: { person: FramePerson | null }) {
  const { t } = useTranslation(['staff', 'desk']);
  return (
    <>
      <LanguageButton className="px-2.5 text-[0.8125rem]/[1.5rem] max-wide:w-11 max-wide:px-0 max-wide:[&_:is(span,span+.icon)]:hidden" />
      <LanguageMenu />
      {person ? (
        <>
          <p>
            <span className="block font-semibold">{person.name}</span>
            {person.name === t(`role.${person.role}`) ? null : (
              <span className="block text-ink-2">{t(`role.${person.role}`)}</span>
            )}
          </p>
          <Link to="/admin/account">{t('desk:nav.account')}</Link>
          <Form action="/admin/sign-out" method="post">
            <button className="link-button">{t('signOut')}</button>
          </Form>
        </>
      ) : null}
    </>
  );
}

/**
 * On every page of the desk, for those who may close days: a year whose religious holidays this release does not know.
 */
function FeastsBanner() {
  const { t } = useTranslation('settings');
  const { yearWithoutFeasts } = useSignals();
  if (yearWithoutFeasts === null) return null;
  const year = String(yearWithoutFeasts);
  return (
    <Notice className="mb-4" title={t('feastsMissing.title', { year })} tone="amber">
      <p data-testid="feasts-missing">
        {t('feastsMissing.text', { year })}{' '}
        <Link to="/admin/settings/closed-days">{t('feastsMissing.link')}</Link>
      </p>
    </Notice>
  );
}

/** On every page of the desk: a payment provider that is down. */
function PartnerBanner() {
  const { t, language } = useTranslation('books');
  const { partnersDown, maySeePayments } = useSignals();
  return partnersDown.map(({ provider, since }) => (
    <Notice
      className="mb-4"
      key={provider}
      title={t('down.title', { partner: t(`provider.${provider}`, provider) })}
      tone="red"
    >
      <p data-testid="partner-down">
        {t('down.text', { moment: formatMoment(since, language, UTC, 'dated') })}{' '}
        {maySeePayments ? <Link to="/admin/payments">{t('down.link')}</Link> : null}
      </p>
    </Notice>
  ));
}

/** On every page of the desk: travellers wait for the PDF of an approved application longer than promised. */
function UndeliveredBanner() {
  const { t } = useTranslation('desk');
  const { undeliveredLate } = useSignals();
  if (undeliveredLate === 0) return null;
  return (
    <Notice className="mb-4" tone="red">
      <p data-testid="undelivered-late">
        {t('undelivered.late', { count: undeliveredLate })}{' '}
        <Link to="/admin?show=to_deliver">{t('undelivered.show')}</Link>
      </p>
    </Notice>
  );
}

/** The search on every page of the desk. `tab`: the kind of application shown first. */
function SearchBox({ text, tab }: { text: string; tab: string }) {
  const { t } = useTranslation('desk');
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isDeskKey(event) || !areShortcutsOn()) return;
      event.preventDefault();
      box.current?.focus();
      // Selects the old text, so that typing replaces it.
      box.current?.select();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  useLayoutEffect(() => {
    // Keeps what is being typed while the list of the last search loads.
    if (box.current && box.current !== document.activeElement) box.current.value = text;
  }, [text]);
  return (
    <search>
      <Form
        action="/admin/search"
        className="relative [&>.icon]:pointer-events-none [&>.icon]:absolute [&>.icon]:start-[11px] [&>.icon]:top-[9px] [&>.icon]:text-ink-2 max-wide:[&>.icon]:top-[13px]"
        method="post"
        // Takes the focus away, because shortcuts do not work in a field.
        onSubmit={() => box.current?.blur()}
      >
        <Icon name="search" size={18} />
        <label className="sr-only" htmlFor="search">
          {t('search.label')}
        </label>
        <input name="tab" type="hidden" value={tab} />
        <input
          autoComplete="off"
          className="control m-0 ps-9 pe-[34px]"
          defaultValue={text}
          id="search"
          maxLength={200}
          name="search"
          placeholder={t('search.placeholder')}
          ref={box}
          type="search"
        />
        <kbd
          aria-hidden="true"
          className="pointer-events-none absolute end-2 top-2 max-wide:hidden"
        >
          /
        </kbd>
        <button className="sr-only">{t('search.submit')}</button>
      </Form>
    </search>
  );
}
