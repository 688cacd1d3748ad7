import type { SettingsSection } from '~/features/settings/change.ts';
import type { StaffAction } from '~/features/staff/roles.ts';

export const SETTINGS = '/admin/settings';

/**
 * Every page on which something is decided: its address below `/admin/settings`, its section, and the right to open and
 * decide. What it shows and checks is its entry in `sections.server.ts`. `menu`: the address in the list of settings,
 * where that is a list of the section’s pages.
 */
export const sectionPages = [
  { path: 'prices', section: 'visa_prices', right: 'administer' },
  { path: 'plans', section: 'plan_prices', right: 'administer' },
  { path: 'insurance', section: 'insurance_terms', right: 'administer' },
  { path: 'countries/:code', section: 'countries', right: 'administer', menu: 'countries' },
  { path: 'operator', section: 'operator', right: 'administer' },
  { path: 'certifications', section: 'certifications', right: 'administer' },
  { path: 'retention', section: 'retention', right: 'administer' },
  { path: 'closed-days', section: 'closed_days', right: 'close_days' },
  {
    path: 'templates/:template',
    section: 'templates',
    right: 'edit_templates',
    menu: 'templates',
  },
] as const satisfies readonly {
  path: string;
  section: SettingsSection;
  right: StaffAction;
  menu?: string;
}[];

type WithoutPage = Exclude<SettingsSection, (typeof sectionPages)[number]['section']>;
/** A section without a page does not compile. */
export const sectionsWithoutPage: Readonly<Record<WithoutPage, string>> = {};
