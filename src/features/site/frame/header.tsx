import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { Menu } from '~/ui/menu.tsx';
import { LanguageButton, headerButton } from './language-menu.tsx';
import { Logo } from './logo.tsx';
import { mainPages, type MainPage } from '../navigation.ts';
import { OfficialSentence } from '../official-site.tsx';

/** Says on every page that this is a private service, with a link to the official site. */
function PrivateServiceBar() {
  const { t } = useTranslation('site');
  return (
    <div className="bg-sand print:bg-transparent">
      <div className="content flex flex-col gap-1.5 py-1.75 text-caption max-wide:text-[0.8125rem] wide:flex-row wide:justify-between wide:gap-8 wide:py-2 print:flex-row print:justify-between">
        <p>{t('bar.private')}</p>
        <p>
          <OfficialSentence text="bar.official" />
        </p>
      </div>
    </div>
  );
}

function PageLinks({ className, part }: { className: string; part?: MainPage['key'] }) {
  const { t } = useTranslation('site');
  return (
    <ul>
      {mainPages.map((page) => (
        <li key={page.key}>
          <Link
            aria-current={page.key === part ? 'page' : undefined}
            className={className}
            to={page.to}
          >
            {t(`nav.${page.key}`)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function Header({
  part,
  languageMenu,
}: {
  /** The section of the page; undefined for none. */
  part?: MainPage['key'];
  /** Null where the menu is elsewhere on the page. */
  languageMenu: ReactNode;
}) {
  const { t } = useTranslation('site');
  return (
    <header>
      <PrivateServiceBar />
      <div className="border-b border-line print:border-[#000]">
        <div className="content flex min-h-(--header-height) flex-wrap items-center gap-2.5 wide:gap-x-[clamp(14px,3vw,36px)] wide:gap-y-0">
          <Logo />
          <nav
            aria-label={t('nav.label')}
            className="ms-auto hidden *:flex *:flex-wrap *:gap-x-[clamp(14px,2.2vw,28px)] wide:block print:hidden"
          >
            <PageLinks
              className="block border-b-2 border-transparent pt-2.75 pb-2.25 text-[clamp(0.9375rem,1.5vw,1rem)]/[1.5rem] whitespace-nowrap text-ink no-underline hover:border-line-2 aria-[current]:border-turquoise"
              part={part}
            />
          </nav>
          <LanguageButton className="px-3 text-[0.9375rem]/[1.5rem] max-wide:ms-auto wide:px-3.5" />
          {languageMenu}
          <Menu
            button={<Icon name="menu" />}
            buttonClass={classNames('w-11 wide:hidden', headerButton)}
            buttonLabel={t('nav.menu')}
            className="w-[min(300px,calc(100vw-40px))] wide:hidden"
            id="mobile-menu"
          >
            <nav aria-label={t('nav.label')}>
              <PageLinks className="menu-row" part={part} />
            </nav>
          </Menu>
        </div>
      </div>
    </header>
  );
}
