import type { ReactNode } from 'react';
import {
  isRouteErrorResponse,
  Links,
  Outlet,
  ScrollRestoration,
  useRouteLoaderData,
} from 'react-router';
import { textDirection } from './base/languages.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/root.ts';
import { ErrorPage } from './features/site/error-page.tsx';
import type { FrameData } from './features/desk/frame/live-state.ts';
import { darkSheet, printSheet } from './ui/style-sheets.ts';
import './styles.css';

export const links: Route.LinksFunction = () => [
  { rel: 'stylesheet', href: printSheet, media: 'print' },
];

/** The document of the desk's pages, without its scripts (`later-scripts.server.ts`); those of visitors are drawn by `pages.server.tsx`. */
export function Layout({ children }: { children: ReactNode }) {
  const { language } = useTranslation();
  const frame = useRouteLoaderData<FrameData>('features/desk/desk-layout');
  return (
    <html lang={language} dir={textDirection(language)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* iOS would make links of numbers and dates before the scripts run. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="theme-color" content="#0B2A3C" />
        <link href="/favicon.svg" rel="icon" type="image/svg+xml" />
        <link href="/apple-touch-icon.png" rel="apple-touch-icon" />
        <link href="/manifest.webmanifest" rel="manifest" />
        <Links />
        {frame ? (
          <>
            {/* The desk alone has dark colours. Told before the sheets are there, so that no page is light first. */}
            <meta name="color-scheme" content="light dark" />
            <link
              rel="stylesheet"
              href={darkSheet}
              media="screen and (prefers-color-scheme: dark)"
            />
          </>
        ) : null}
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
