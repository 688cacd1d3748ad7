import { Form } from 'react-router';
import { isolated } from '~/base/isolated.ts';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import { DeskPage } from '~/features/desk/frame/desk-page.tsx';
import { Column } from '~/features/desk/frame/desk-section.tsx';
import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import { CheckList } from '~/features/desk/setup/check-list.tsx';
import { outside, runChecks } from '~/features/desk/setup/run-checks.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { addressContext, platformContext } from '~/platform/http/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/setup.ts';
import { UpLink } from '~/features/desk/frame/up-link.tsx';

export const headers = () => PRIVATE_PAGE;

/** What stands between this service and taking money: the list of `npm run lale -- doctor`, of the process that answers. */
export async function loader(args: Route.LoaderArgs) {
  const staff = await requireStaff(args, 'administer');
  const platform = args.context.get(platformContext);
  const { config, db, pool } = platform;
  const checks = await runChecks(
    {
      config,
      mistakes: config.missingForLive,
      mode: config.mode,
      database: { db, pool, url: config.databaseUrl ?? '' },
    },
    outside(platform.now),
  );
  const address = args.context.get(addressContext);
  return { staff, outbox: hasOutbox(platform), checks, address };
}

export default function Setup({ loaderData }: Route.ComponentProps) {
  const { staff, outbox, checks, address } = loaderData;
  const { t } = useTranslation(['setup', 'settings']);
  return (
    <DeskPage outbox={outbox} staff={staff}>
      <title>{`${t('settings:setup.title')} – Lale`}</title>
      <Column>
        <UpLink to="/admin/settings">{t('settings:up.settings')}</UpLink>
        <h1>{t('settings:setup.title')}</h1>
        <p className="text-ink-2">{t('lead')}</p>
        <CheckList checks={checks} />
        <p>{t('address', { address: isolated(address) })}</p>
        <Form method="get">
          <Button look="secondary">{t('again')}</Button>
        </Form>
      </Column>
    </DeskPage>
  );
}

export const ErrorBoundary = DeskFailure;
