import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { LanguageButton, LanguageMenu } from '~/features/site/frame/language-menu.tsx';
import { Logo } from '~/features/site/frame/logo.tsx';
import type { Staff } from '~/features/staff/staff.ts';
import { DeskFrame } from './desk-frame.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Notice } from '~/ui/notice.tsx';
import { ToastProvider } from '~/ui/toast/toast.tsx';
import { SkipLink } from '~/ui/skip-link.tsx';
import { DeskNavigation } from './navigation.tsx';
import { useKeptFocus } from './use-kept-focus.tsx';
import { useSendKey } from './use-send-key.tsx';
import { SearchBox } from './search-box.tsx';
import { PartnerBanner, UndeliveredBanner } from './partner-banner.tsx';
import { FeastsBanner } from './feasts-banner.tsx';
import { LiveNotice } from './live-notice.tsx';
import '~/ui/css/staff.css';
import '../css/frame.css';
import '../css/lists.css';
import '../css/application.css';
import '../css/statistics.css';

const NO_SEARCH = { text: '', tab: '' };

/** A page of the desk in its frame; without `staff` the frame of the sign-in page. */
export function DeskPage({
  staff,
  outbox = false,
  search = NO_SEARCH,
  panel,
  children,
}: {
  staff: Staff | null;
  /** Whether there is an outbox that this person may read. */
  outbox?: boolean;
  /** The text in the search box, and the kind of application shown first. */
  search?: { text: string; tab: string };
  panel?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('desk');
  useKeptFocus();
  useSendKey();
  return (
    <ToastProvider>
      <SkipLink>{t('skip')}</SkipLink>
      <DeskFrame
        brand={
          <>
            <Logo label={`Lale ${t('brand')}`} small to="/admin" />
            <span className="text-[0.8125rem] font-medium text-ink-2">{t('brand')}</span>
          </>
        }
        nav={staff ? <DeskNavigation outbox={outbox} role={staff.role} /> : undefined}
        panel={panel}
        panelLabel={t('panel')}
        person={<Person staff={staff} />}
        search={staff ? <SearchBox {...search} /> : undefined}
      >
        {staff && !staff.isNamed ? <NameNotice name={staff.name} /> : null}
        {staff ? <PartnerBanner /> : null}
        {staff ? <UndeliveredBanner /> : null}
        {staff ? <FeastsBanner /> : null}
        {staff ? <LiveNotice /> : null}
        {children}
      </DeskFrame>
    </ToastProvider>
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

function Person({ staff }: { staff: Staff | null }) {
  const { t } = useTranslation('staff');
  return (
    <>
      <LanguageButton className="px-2.5 text-[0.8125rem]/[1.5rem] max-wide:w-11 max-wide:px-0 max-wide:[&_:is(span,span+.icon)]:hidden" />
      <LanguageMenu />
      {staff ? (
        <>
          <p>
            <span className="block font-semibold">{staff.name}</span>
            {staff.name === t(`role.${staff.role}`) ? null : (
              <span className="block text-ink-2">{t(`role.${staff.role}`)}</span>
            )}
          </p>
          <Form action="/admin/sign-out" method="post">
            <button className="link-button">{t('signOut')}</button>
          </Form>
        </>
      ) : null}
    </>
  );
}
