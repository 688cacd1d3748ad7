import { useTranslation } from '~/ui/texts/texts.tsx';
import { data } from 'react-router';
import { decidedTerms } from '~/features/insurance/store/plan-store.server.ts';
import { operatorInForce } from '~/features/settings/operator.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { hasSamples } from '~/platform/config/sample-operator.ts';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import type { Route } from './+types/test-mode.ts';

export const handle = { scriptFree: true };

/** What is simulated in test mode; live mode has no such page. */
export async function loader({ context }: Route.LoaderArgs) {
  const { config, db, now } = context.get(platformContext);
  if (config.mode === 'live') throw data(null, { status: 404 });
  const settings = await currentSettings(db);
  const terms = decidedTerms(settings, now())?.terms ?? null;
  return {
    made: [
      ...(hasSamples(operatorInForce(config, settings, now())) ? (['operator'] as const) : []),
      ...(terms === null || terms.isSample ? (['terms'] as const) : []),
      ...(config.mailUrl ? [] : (['mail'] as const)),
      'payment' as const,
    ],
  };
}

const pages = {
  operator: '/admin/settings/operator',
  terms: '/admin/settings/insurance',
  mail: null,
  payment: null,
};

function TestModePage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('test-mode');
  return (
    <NarrowPage>
      <title>{`${t('title')} · Lale`}</title>
      <PageHead lead={t('lead')} title={t('title')} />
      <ul className="grid grid-cols-1 gap-4">
        {loaderData.made.map((one) => (
          <li key={one}>
            {t(`made.${one}`)} {pages[one] === null ? null : <a href={pages[one]}>{t('staff')}</a>}
          </li>
        ))}
      </ul>
    </NarrowPage>
  );
}

export { TestModePage as default };
