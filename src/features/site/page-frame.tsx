import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { preloadFonts } from '~/ui/font-preloads.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { LanguageMenu } from './language-menu.tsx';

/** What every visitor's page has round its content; staff pages have their own frame. */
export function PageFrame({
  takesAnswers = false,
  children,
}: {
  /** The page's form goes along when the language is switched. */
  takesAnswers?: boolean;
  children: ReactNode;
}) {
  const { t, i18n } = useTranslation('site');
  preloadFonts(i18n.language);
  return (
    <div className="site">
      <a className="skip-link" href="#main">
        {t('nav.skip')}
      </a>
      <Header languageMenu={takesAnswers ? null : <LanguageMenu />} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {takesAnswers ? <LanguageMenu takesAnswers /> : null}
      <Footer />
    </div>
  );
}
