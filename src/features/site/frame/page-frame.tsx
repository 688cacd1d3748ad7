import { useTranslation } from '~/ui/texts/texts.tsx';
import type { CarriedAnswers } from '~/ui/answers-form.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { SkipLink } from '~/ui/skip-link.tsx';
import { LanguageMenu } from './language-menu.tsx';
import type { MainPage } from '../navigation.ts';
import { useSite } from '../site-context.tsx';

/*
 * The frame around every visitor's page. It is the same for everybody and uses no framework scripts, so the server
 * caches its markup (`document/frame-markup.server.tsx`).
 */

/** Everything before the content. With `carriedAnswers`, the language menu is in `FrameEnd` instead. */
export function FrameStart({ part, carriedAnswers }: FrameProps & { part?: MainPage['key'] }) {
  const { t } = useTranslation('site');
  const { testMode } = useSite();
  return (
    <>
      <SkipLink>{t('nav.skip')}</SkipLink>
      {testMode ? (
        <aside className="test-mode bg-ink px-4 py-2 text-center text-[14px] text-balance text-paper print:hidden [&_a]:text-inherit [&_a]:decoration-auto">
          {testMode.text} <a href={testMode.to}>{testMode.link}</a>
        </aside>
      ) : null}
      <Header part={part} languageMenu={carriedAnswers ? null : <LanguageMenu />} />
    </>
  );
}

/** Everything after the content. */
export function FrameEnd({ carriedAnswers }: FrameProps) {
  return (
    <>
      {carriedAnswers ? <LanguageMenu carriedAnswers={carriedAnswers} /> : null}
      <Footer />
    </>
  );
}

type FrameProps = {
  /** How the page's form is submitted when the language is switched; null where there is no form to submit. */
  carriedAnswers: CarriedAnswers | null;
};
