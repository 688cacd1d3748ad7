import { Outlet, useLoaderData, type LoaderFunctionArgs } from 'react-router';
import { platformContext } from '~/platform/request.server.ts';
import { ToastProvider } from '~/ui/toast.tsx';
import { ErrorPage } from './error-page.tsx';
import { PageFrame } from './page-frame.tsx';

export function loader({ context }: LoaderFunctionArgs) {
  const { config, now } = context.get(platformContext);
  return { operator: config.operator, year: now().getUTCFullYear() };
}

/** The operator does not change between two pages. */
export const shouldRevalidate = () => false;

/** The frame of every visitor's page: bar, header, footer, messages. */
export default function SiteLayout() {
  const { operator, year } = useLoaderData<typeof loader>();
  return (
    <ToastProvider>
      <PageFrame operator={operator} year={year}>
        <Outlet />
      </PageFrame>
    </ToastProvider>
  );
}

export function ErrorBoundary() {
  return <ErrorPage />;
}
