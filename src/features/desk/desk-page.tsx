import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, Link, useLocation } from 'react-router';
import { LanguageButton, LanguageMenu } from '~/features/site/language-menu.tsx';
import { LogoMark } from '~/features/site/logo.tsx';
import { may, type Role } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { DeskFrame } from '~/ui/desk-frame.tsx';
import { Icon } from '~/ui/icon.tsx';
import { ToastProvider } from '~/ui/toast.tsx';
import './css/frame.css';
import './css/lists.css';
import './css/queue.css';
import './css/application.css';
import './css/accounts.css';
import './decision.css';
import './order.css';
import './dossier/dossier.css';
import './books.css';
import './statistics/statistics.css';

/** A page of the desk in its frame; without `staff` the frame of the sign-in page. */
export function DeskPage({
  staff,
  outbox = false,
  search,
  panel,
  children,
}: {
  staff: Staff | null;
  /** Whether there is an outbox that this person may read. */
  outbox?: boolean;
  /** What is searched for; absent on pages without a search. */
  search?: { text: string; query: string } | undefined;
  panel?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('desk');
  return (
    <ToastProvider>
      <a className="skip-link" href="#main">
        {t('skip')}
      </a>
      <DeskFrame
        brand={
          <>
            <Link aria-label={`Lale ${t('brand')}`} className="logo" dir="ltr" to="/admin">
              <LogoMark />
              <span className="logo-name">Lale</span>
            </Link>
            <span className="desk-brand-name">{t('brand')}</span>
          </>
        }
        nav={staff ? <DeskNavigation outbox={outbox} role={staff.role} /> : undefined}
        panel={panel}
        person={<Person staff={staff} />}
        search={search ? <SearchBox {...search} /> : undefined}
      >
        {children}
      </DeskFrame>
    </ToastProvider>
  );
}

function DeskNavigation({ outbox, role }: { outbox: boolean; role: Role }) {
  const { t } = useTranslation('desk');
  const { pathname } = useLocation();
  const pages = [
    { to: '/admin', key: 'queue', shown: true },
    { to: '/admin/refunds', key: 'refunds', shown: true },
    { to: '/admin/payments', key: 'books:nav.payments', shown: may(role, 'view_payments') },
    {
      to: '/admin/reconciliation',
      key: 'books:nav.reconciliation',
      shown: may(role, 'view_payments'),
    },
    {
      to: '/admin/statistics',
      key: 'statistics:nav',
      shown: may(role, 'view_statistics'),
    },
    { to: '/admin/audit', key: 'books:nav.audit', shown: may(role, 'view_audit') },
    { to: '/admin/outbox', key: 'outbox', shown: outbox },
    { to: '/admin/accounts', key: 'accounts', shown: may(role, 'administer') },
    { to: '/admin/settings', key: 'settings:nav', shown: may(role, 'administer') },
    { to: '/admin/account', key: 'account', shown: true },
  ] as const;
  // The second factor is a part of one's own account.
  const page = pathname.replace(/^\/admin\/second-factor/, '/admin/account');
  const current = pages.findLast(({ to }) => page === to || page.startsWith(`${to}/`));
  const here = current?.to;
  const row = useRef<HTMLElement>(null);
  // On a phone the row scrolls: the page one is on stands in its middle. The page itself must not move.
  useEffect(() => {
    const scroller = row.current?.parentElement;
    const link = row.current?.querySelector('[aria-current]');
    if (!here || !scroller || !link) return;
    const [outer, inner] = [scroller.getBoundingClientRect(), link.getBoundingClientRect()];
    scroller.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [here]);
  return (
    <nav aria-label={t('nav.label')} className="desk-pages" ref={row}>
      {pages
        .filter(({ shown }) => shown)
        .map(({ to, key }) => (
          <Link aria-current={to === here ? 'page' : undefined} key={key} to={to}>
            {t(key.includes(':') ? key : `nav.${key}`)}
          </Link>
        ))}
    </nav>
  );
}

function SearchBox({ text, query }: { text: string; query: string }) {
  const { t } = useTranslation('desk');
  return (
    <search>
      <Form action="/admin/search" className="search-box" method="post">
        <Icon name="search" size={18} />
        <label className="visually-hidden" htmlFor="search">
          {t('search.label')}
        </label>
        <input name="query" type="hidden" value={query} />
        <input
          autoComplete="off"
          className="control"
          defaultValue={text}
          id="search"
          key={text}
          name="search"
          placeholder={t('search.placeholder')}
          type="search"
        />
        <kbd aria-hidden="true">/</kbd>
        <button className="visually-hidden">{t('search.submit')}</button>
      </Form>
    </search>
  );
}

function Person({ staff }: { staff: Staff | null }) {
  const { t } = useTranslation('staff');
  return (
    <>
      <LanguageButton />
      <LanguageMenu />
      {staff ? (
        <>
          <p>
            <span className="person-name">{staff.name}</span>
            <span className="person-role">{t(`role.${staff.role}`)}</span>
          </p>
          <Form action="/admin/sign-out" method="post">
            <button className="link-button">{t('signOut')}</button>
          </Form>
        </>
      ) : null}
    </>
  );
}
