import type { ReactNode } from 'react';
import { Links, Outlet, Scripts, ScrollRestoration, useMatches } from 'react-router';
import { directionOf, isLanguage } from './base/languages.ts';
import { useTranslation } from 'react-i18next';
import { ErrorPage } from './features/site/error-page.tsx';
import { needsOf } from './route-handle.ts';
import { useAllTexts } from './ui/texts/page-texts.tsx';
import pageScript from './page-script.ts?worker&url';
import './styles.css';

const usePageNeeds = () => needsOf(useMatches().map(({ handle }) => handle));

export function Layout({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const language = isLanguage(i18n.language) ? i18n.language : 'en';
  const { scriptFree, startTexts } = usePageNeeds();
  return (
    <html lang={language} dir={directionOf(language)} data-texts={startTexts ? 'start' : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#0B2A3C" />
        <link href="/favicon.svg" rel="icon" type="image/svg+xml" />
        <link href="/apple-touch-icon.png" rel="apple-touch-icon" />
        <link href="/manifest.webmanifest" rel="manifest" />
        <Links />
      </head>
      <body>
        {children}
        {scriptFree ? (
          <script src={pageScript} type="module" />
        ) : (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  useAllTexts(!usePageNeeds().startTexts);
  return <Outlet />;
}

/** The last resort: routes outside the site's frame, or the frame itself. */
export function ErrorBoundary() {
  return (
    <main>
      <ErrorPage />
    </main>
  );
}
