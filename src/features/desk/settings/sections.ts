import type { SettingsSection } from '~/features/settings/change.ts';
import type { StaffAction } from '~/features/staff/roles.ts';

export const SETTINGS = '/admin/settings';

type SectionPage = { path: string; right: StaffAction; menu?: string };

/**
 * For each section the page on which it is decided: its address below `/admin/settings`, and the right to open and decide.
 * What it shows and checks is its entry in `sections.server.ts`. `menu`: the address in the list of settings, where that is
 * a list of the section’s pages.
 */
const pages = {
  visa_prices: { path: 'prices', right: 'administer' },
  plan_prices: { path: 'plans', right: 'administer' },
  insurance_terms: { path: 'insurance', right: 'administer' },
  countries: { path: 'countries/:code', right: 'administer', menu: 'countries' },
  operator: { path: 'operator', right: 'administer' },
  certifications: { path: 'certifications', right: 'administer' },
  retention: { path: 'retention', right: 'administer' },
  closed_days: { path: 'closed-days', right: 'close_days' },
  authority: { path: 'authority', right: 'set_chase' },
  templates: { path: 'templates/:template', right: 'edit_templates', menu: 'templates' },
} as const satisfies Record<SettingsSection, SectionPage>;

export const sectionPages = (Object.keys(pages) as SettingsSection[]).map(
  (section): SectionPage & { section: SettingsSection } => ({ section, ...pages[section] }),
);
