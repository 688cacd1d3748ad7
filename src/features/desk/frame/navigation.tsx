import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLocation } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import type { Role } from '~/features/staff/roles.ts';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { MenuButton, MenuPanel } from '~/ui/menu.tsx';
import { pagesFor, rowOf, type DeskPlace } from '../navigation/pages.ts';
import { signalNames } from '../navigation/signals.ts';
import { useSignals, useStart } from '../navigation/use-signals.tsx';

const PANEL = 'desk-pages';
const MORE = 'desk-more-pages';

/**
 * The pages of the desk: a row of links, the rarer ones of many in a menu at its end; on narrow screens all of them in
 * one menu. Menus open without scripts too.
 */
export function DeskNavigation({ outbox, role }: { outbox: boolean; role: Role }) {
  const { t } = useTranslation('desk');
  const { pathname } = useLocation();
  const signals = useSignals();
  const pages = pagesFor(role, { outbox });
  // The second factor is part of one's account.
  const page = pathname.replace(/^\/admin\/(second-factor|name)/, '/admin/account');
  const here = pages.findLast(({ to }) => page === to || page.startsWith(`${to}/`))?.to;
  const { row, more } = rowOf(pages);
  const isInMore = more.some(({ to }) => to === here);
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
          {row.map((page) => (
            <PageLink isHere={page.to === here} key={page.key} page={page} />
          ))}
          {more.length === 0 ? null : (
            <>
              <MenuButton
                button={
                  <>
                    {t('nav.more')}
                    <Icon name="chevron" size={18} />
                  </>
                }
                buttonClass={classNames(LINK, 'max-wide:hidden', isInMore && IN_MORE)}
                id={MORE}
              />
              <MenuPanel
                className="max-wide:static max-wide:m-0 max-wide:block max-wide:overflow-visible max-wide:border-0 max-wide:p-0 max-wide:shadow-none wide:min-w-52"
                id={MORE}
              >
                {more.map((page) => (
                  <PageLink isHere={page.to === here} isInMenu key={page.key} page={page} />
                ))}
              </MenuPanel>
            </>
          )}
        </nav>
      </MenuPanel>
    </>
  );
}

const LINK =
  'flex min-h-11 items-center gap-2 px-3 whitespace-nowrap text-ink-2 max-wide:justify-between wide:border-b-2 wide:border-transparent wide:max-[68.75rem]:px-2';
/** The page that is open stands behind “More”. */
const IN_MORE = 'border-turquoise! font-semibold text-ink!';

function PageLink({
  page: { to, key, signals: counted = [] },
  isHere,
  isInMenu = false,
}: {
  page: DeskPlace;
  isHere: boolean;
  isInMenu?: boolean;
}) {
  const { t } = useTranslation('desk');
  const signals = useSignals();
  const start = useStart();
  return (
    <Link
      aria-current={isHere ? 'page' : undefined}
      className={classNames(
        LINK,
        'no-underline current:font-semibold current:text-ink max-wide:rounded-field max-wide:current:bg-turquoise-pale',
        isInMenu
          ? 'wide:rounded-field wide:hover:bg-turquoise-pale wide:current:bg-turquoise-pale'
          : 'wide:current:border-turquoise',
      )}
      onClick={closeMenus}
      to={to === '/admin' ? `/admin${start}` : to}
    >
      {t(key)}
      {counted.map((signal) =>
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
function closeMenus(): void {
  for (const id of [MORE, PANEL]) {
    const panel = document.getElementById(id);
    if (panel?.matches(':popover-open')) panel.hidePopover();
  }
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
