import { useEffect, useRef } from 'react';
import { operatorNow } from '~/features/settings/operator.server.ts';
import {
  Outlet,
  useLocation,
  useLoaderData,
  useMatches,
  useRouteLoaderData,
  type LoaderFunctionArgs,
} from 'react-router';
import { languageContext, platformContext } from '~/platform/request.server.ts';
import { translations } from '~/platform/translations.server.ts';
import { takenAlong } from '~/ui/answers-form.ts';
import { ToastProvider } from '~/ui/toast.tsx';
import { ErrorPage } from './error-page.tsx';
import { SiteHead } from './head/site-head.tsx';
import { PageFrame } from './page-frame.tsx';
import { SiteProvider } from './site-context.tsx';

export async function loader({ context }: LoaderFunctionArgs) {
  const platform = context.get(platformContext);
  const { config, now } = platform;
  // A page that fails for want of the database still has its frame, with what the operator configured.
  const operator = await operatorNow(platform).catch(() => config.operator);
  const language = context.get(languageContext);
  const t = translations(language).getFixedT(null, 'test-mode');
  // Written here, so that browsers need no texts for it.
  const testMode =
    config.mode === 'test'
      ? { text: t('banner'), link: t('bannerLink'), to: `/${language}/test-mode` }
      : null;
  return { origin: config.publicUrl, operator, year: now().getUTCFullYear(), testMode };
}

/** What is said of the operator may wait for the next whole page. */
export const shouldRevalidate = () => false;

/** The frame of every visitor's page: bar, header, footer, messages. */
export default function SiteLayout() {
  const along = useMatches().map(takenAlong);
  const { key, hash } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    // Not needed before somebody goes to a second page.
    void import('~/ui/page-focus.ts')
      .then(({ focusPage }) => focusPage(hash))
      .catch(() => undefined);
  }, [key, hash]);
  return (
    <SiteProvider value={useLoaderData<typeof loader>()}>
      <SiteHead />
      <ToastProvider>
        <PageFrame takenAlong={along.find(Boolean) ?? null}>
          <Outlet />
        </PageFrame>
      </ToastProvider>
    </SiteProvider>
  );
}

/** A page that failed keeps its frame, so that there is a way on. */
export function ErrorBoundary() {
  const site = useRouteLoaderData<typeof loader>('features/site/site-layout');
  if (!site) return <ErrorPage />;
  return (
    <SiteProvider value={site}>
      <PageFrame>
        <ErrorPage supportEmail={site.operator.supportEmail} />
      </PageFrame>
    </SiteProvider>
  );
}
