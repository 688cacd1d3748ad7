import type { ReactNode } from 'react';
import { isRouteErrorResponse, Links, Outlet, ScrollRestoration } from 'react-router';
import { directionOf } from './base/languages.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Route } from './+types/root.ts';
import { ErrorPage } from './features/site/error-page.tsx';
import { printSheet } from './ui/print-sheet.ts';
import './styles.css';

export const links: Route.LinksFunction = () => [
  { rel: 'stylesheet', href: printSheet, media: 'print' },
];

/** The document of the desk's pages, without its scripts (`later-scripts.server.ts`); those of visitors are drawn by `visitor-pages.server.tsx`. */
export function Layout({ children }: { children: ReactNode }) {
  const language = useLanguage();
  return (
    <html lang={language} dir={directionOf(language)}>
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
        <ScrollRestoration />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** The last resort: the desk's frame itself has failed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main>
      <ErrorPage isMissing={isRouteErrorResponse(error) && error.status === 404} />
    </main>
  );
}
