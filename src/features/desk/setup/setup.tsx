import { Form } from 'react-router';
import { isolated } from '~/base/isolated.ts';
import { FormPage } from '../frame/desk-page.tsx';
import { openOutsideAccess, runChecks } from './run-checks.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { addressContext } from '~/platform/http/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/setup.ts';
import type { TextValues } from '~/base/read-text.ts';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import {
  countCheckStates,
  type CompletedCheck,
  type CheckState,
  type CheckMend,
} from './setup-check.ts';

const tones: Record<CheckState, StatusTone> = { ok: 'green', missing: 'red', unknown: 'amber' };

/** The checks in their order: state, what was found, and what mends it. */
function CheckList({ checks }: { checks: readonly CompletedCheck[] }) {
  const { t } = useTranslation('setup');
  return (
    <>
      <p className="font-semibold">{t('counts', countCheckStates(checks))}</p>
      <ol className="divide-y divide-line border-y border-line">
        {checks.map(({ id, state, found, mend }) => (
          <li className="grid grid-cols-1 gap-1 py-4" key={id}>
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <h2>{t(`check.${id}`)}</h2>
              <StatusTag tone={tones[state]}>{t(`state.${state}`)}</StatusTag>
            </div>
            {found.map(({ code, values }, index) => (
              <p className="wrap-anywhere text-ink-2" dir="auto" key={`${code} ${index}`}>
                {t(`found.${code}`, isolatedValues(values))}
              </p>
            ))}
            {mend.length > 0 ? (
              <ul className="grid gap-1 text-sm/5.5">
                {mend.map((one) => (
                  <MendLine key={one.text} {...one} />
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Hosts, records and paths keep their order inside Arabic. A mistake of the configuration is a whole English line. */
const isolatedValues = (values: TextValues = {}): TextValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && name !== 'mistake' ? isolated(value) : value,
    ]),
  );

function MendLine({ kind, text }: CheckMend) {
  const { t } = useTranslation('setup');
  return (
    <li className="wrap-anywhere">
      {t(`mend.${kind}`)}:{' '}
      {kind === 'page' ? (
        <a dir="ltr" href={text}>
          {text}
        </a>
      ) : (
        <code className="font-mono" dir="ltr">
          {text}
        </code>
      )}
    </li>
  );
}

/** What stands between this service and taking money: the list of `npm run lale -- doctor`, of the process that answers. */
export async function loader(args: Route.LoaderArgs) {
  const { platform } = await requireDesk(args, 'administer');
  const { config, db, pool } = platform;
  const checks = await runChecks(
    {
      config,
      mistakes: config.missingForLive,
      mode: config.mode,
      database: { db, pool, url: config.databaseUrl ?? '' },
    },
    openOutsideAccess(platform.now),
  );
  const address = args.context.get(addressContext);
  return { checks, address };
}

export default function Setup({ loaderData }: Route.ComponentProps) {
  const { checks, address } = loaderData;
  const { t } = useTranslation(['setup', 'settings']);
  return (
    <FormPage
      lead={t('lead')}
      title={t('settings:setup.title')}
      up={{ to: '/admin/settings', label: t('settings:up.settings') }}
    >
      <CheckList checks={checks} />
      <p>{t('address', { address: isolated(address) })}</p>
      <Form method="get">
        <Button look="secondary">{t('again')}</Button>
      </Form>
    </FormPage>
  );
}
