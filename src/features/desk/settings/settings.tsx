import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { FormPage } from '../frame/desk-page.tsx';
import { sectionsWithProposals } from '~/features/settings/proposals.server.ts';
import { StatusTag } from '~/ui/status-tag.tsx';
import type { SettingsSection } from '~/features/settings/change.ts';
import { may, type StaffAction } from '~/features/staff/roles.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import type { Route } from './+types/settings.ts';
import { sectionPages, SETTINGS } from './sections.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'close_days');
  // For those who may confirm them.
  const waiting = may(staff.role, 'administer') ? await sectionsWithProposals(platform.db) : [];
  const shown = places.filter(({ right }) => may(staff.role, right));
  return { shown, waiting };
}

const places: readonly {
  to: string;
  key: SettingsSection | 'accounts' | 'setup';
  right: StaffAction;
}[] = [
  ...sectionPages.map((page) => ({
    to: `${SETTINGS}/${page.menu ?? page.path}`,
    key: page.section,
    right: page.right,
  })),
  { to: '/admin/accounts', key: 'accounts', right: 'administer' },
  { to: `${SETTINGS}/setup`, key: 'setup', right: 'administer' },
];

/** The sections of settings; managers see those they may decide. */
export default function Settings({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { shown, waiting } = loaderData;
  return (
    <FormPage lead={t('lead')} title={t('title')}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(260px,1fr))] gap-3">
        {shown.map(({ to, key }) => (
          <li key={key}>
            <Link
              className="grid h-full content-start gap-1 rounded-card border border-line-2 bg-paper px-[18px] py-4 text-ink no-underline hover:border-ink-2"
              to={to}
            >
              <strong>{t(`${key}.title`)}</strong>
              <span className="text-sm/5.5 text-ink-2">{t(`${key}.short`)}</span>
              {waiting.some((section) => section === key) ? (
                <span className="mt-1">
                  <StatusTag tone="amber">{t('proposal.title')}</StatusTag>
                </span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </FormPage>
  );
}
