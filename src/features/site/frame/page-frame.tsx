import { useTranslation } from '~/ui/texts/texts.tsx';
import type { CarriedAnswers } from '~/ui/answers-form.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { SkipLink } from '~/ui/skip-link.tsx';
import { LanguageMenu } from './language-menu.tsx';
import type { MainPage } from '../navigation.ts';
import { useSite } from '../site-context.tsx';

/*
 * What stands round the content of every visitor's page. It is the same for everybody and has no scripts of the framework:
 * the server keeps it as markup (`document/frame-markup.server.tsx`).
 */

/**
 * Everything before the content. With answers that go along, the menu of languages stands behind it, in `FrameEnd`.
 */
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

/** Everything behind the content. */
export function FrameEnd({ carriedAnswers }: FrameProps) {
  return (
    <>
      {carriedAnswers ? <LanguageMenu carriedAnswers={carriedAnswers} /> : null}
      <Footer />
    </>
  );
}

type FrameProps = {
  /** How the page's form goes along when the language is switched; null: there is none, or it need not. */
  carriedAnswers: CarriedAnswers | null;
};
