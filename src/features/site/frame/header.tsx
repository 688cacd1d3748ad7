import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Icon } from '~/ui/icon.tsx';
import { Menu } from '~/ui/menu.tsx';
import { LanguageButton } from './language-menu.tsx';
import { Logo } from './logo.tsx';
import { mainPages, type MainPage } from '../navigation.ts';
import { OfficialSentence } from '../official-site.tsx';

/** What Lale is not, and where the official site is: above every page. */
export function PrivateServiceBar() {
  const { t } = useTranslation('site');
  return (
    <div className="private-bar">
      <div className="content private-bar-row">
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
  /** Where the page lies; undefined where it lies under none of them. */
  part?: MainPage['key'];
  /** Null where it stands elsewhere on the page. */
  languageMenu: ReactNode;
}) {
  const { t } = useTranslation('site');
  return (
    <header>
      <PrivateServiceBar />
      <div className="site-header">
        <div className="content site-header-row">
          <Logo />
          <nav aria-label={t('nav.label')} className="site-nav">
            <PageLinks className="site-nav-link" part={part} />
          </nav>
          <LanguageButton />
          {languageMenu}
          <Menu
            button={<Icon name="menu" />}
            buttonClass="mobile-menu-button"
            buttonLabel={t('nav.menu')}
            className="mobile-menu"
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
