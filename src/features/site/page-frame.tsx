import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TakenAlong } from '~/ui/answers-form.ts';
import { preloadFonts } from '~/ui/font-preloads.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { useSite } from './site-context.tsx';

/** What every visitor's page has round its content; staff pages have their own frame. */
export function PageFrame({
  takenAlong = null,
  children,
}: {
  /** How the page's form goes along when the language is switched; null: there is none, or it need not. */
  takenAlong?: TakenAlong | null;
  children: ReactNode;
}) {
  const { t, i18n } = useTranslation('site');
  const { testMode } = useSite();
  preloadFonts(i18n.language);
  return (
    <div className="site">
      <a className="skip-link" href="#main">
        {t('nav.skip')}
      </a>
      {testMode ? (
        <aside className="test-mode">
          {testMode.text} <a href={testMode.to}>{testMode.link}</a>
        </aside>
      ) : null}
      <Header languageMenu={takenAlong ? null : <LanguageMenu />} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {takenAlong ? <LanguageMenu takenAlong={takenAlong} /> : null}
      <Footer />
    </div>
  );
}
