import { data, generatePath, type RouterContextProvider } from 'react-router';
import {
  replacementInForce,
  type SettingsChange,
  type SettingsSection,
  type Settings,
} from '~/features/settings/change.ts';
import { sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { listAccounts } from '~/features/staff/store.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { openCertifications } from './certifications.server.ts';
import { openClosedDays } from './closed-days.server.ts';
import { openCountry } from './countries.server.ts';
import { openOperator } from './operator.server.ts';
import { openPlanPrices, openVisaPrices } from './prices.server.ts';
import { shownProposals } from './proposals.server.ts';
import { openRetention } from './retention.server.ts';
import type { OpeningSection, OpenSection } from './section.server.ts';
import { sectionPages, SETTINGS } from './sections.ts';
import { openTemplate } from './templates.server.ts';
import { openTerms } from './terms.server.ts';

/** What each section's page says, asks and checks. Null where nothing has the address. */
const openers: Record<
  SettingsSection,
  (asked: OpeningSection) => OpenSection | null | Promise<OpenSection | null>
> = {
  visa_prices: openVisaPrices,
  plan_prices: openPlanPrices,
  insurance_terms: openTerms,
  countries: openCountry,
  operator: openOperator,
  certifications: openCertifications,
  retention: openRetention,
  closed_days: openClosedDays,
  templates: openTemplate,
};

export type SectionArgs = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  params: Readonly<Record<string, string | undefined>>;
  pattern: string;
};

/** The section at an address, for whoever may decide about it. */
export async function openSection(args: SectionArgs) {
  const page = sectionPages.find(({ path }) => args.pattern.endsWith(`admin/settings/${path}`));
  if (!page) throw new Error(`${args.pattern} is no page of settings`);
  const staff = await requireStaff(args, page.right);
  const platform = args.context.get(platformContext);
  const language = args.context.get(languageContext);
  const opened = await openers[page.section]({ platform, language, params: args.params });
  if (!opened) throw data(null, { status: 404 });
  return {
    ...opened,
    section: page.section,
    /** Where saving leads. */
    address: generatePath(`${SETTINGS}/${page.path}`, { ...args.params }),
    staff,
    platform,
    language,
  };
}

/** What a decision says of a subject, and the moment until which that was in force; null where nothing replaced it. */
type PastLine = { text: string; until: number | null };

/** A decision as the history shows it. */
export type PastChange = {
  id: number;
  /** Null for seeded values. */
  validFrom: number | null;
  decidedAt: number;
  /** Null for automatic decisions. */
  who: string | null;
  /** The second administrator. */
  confirmedBy: string | null;
  /** Decided by the only administrator there was. */
  alone: boolean;
  reason: string;
  lines: readonly PastLine[];
  /** `superseded`: later decisions have replaced all its values. */
  state: 'in_force' | 'superseded' | 'planned' | 'withdrawn';
};

const doneWords = [
  'saved',
  'withdrawn',
  'proposed',
  'confirmed',
  'declined',
  'proposal_withdrawn',
] as const;

/** The data of every settings page. */
export async function loadSection(args: SectionArgs) {
  const opened = await openSection(args);
  const { platform, section, title, lead, up, isAtOnce = false } = opened;
  const [settings, accounts] = await Promise.all([
    readSettings(platform.db),
    listAccounts(platform.db),
  ]);
  const now = platform.now();
  const search = new URL(args.request.url).searchParams;
  return {
    title,
    lead,
    up,
    isAtOnce,
    version: sectionVersion(settings, section),
    done: doneWords.find((one) => one === search.get('done')) ?? null,
    proposals: await shownProposals(opened, settings, accounts),
    history: historyOf(opened, settings, new Map(accounts.map(({ id, name }) => [id, name])), now),
    ...(await opened.view(settings, now, search)),
  };
}

/** The decisions that belong to a page, the latest first. */
function historyOf(
  { section, lines, isShown = () => true, beginning }: OpenSection & { section: SettingsSection },
  settings: Settings,
  names: ReadonlyMap<string, string>,
  now: Date,
): PastChange[] {
  const untilOf = (change: SettingsChange, subject: string) =>
    change.withdrawn
      ? null
      : (replacementInForce(settings, change, subject, now)?.getTime() ?? null);
  /** The lines in their order, each with the end of the subject that it is about. */
  const pastLinesOf = (change: SettingsChange): PastLine[] => {
    const bySubject = Object.entries(change.values).flatMap(([subject, value]) => {
      const until = untilOf(change, subject);
      return lines({ ...change, values: { [subject]: value } }, settings).map((text) => ({
        text,
        until,
      }));
    });
    return lines(change, settings).map((text) => {
      const at = bySubject.findIndex((line) => line.text === text);
      const [line] = at < 0 ? [] : bySubject.splice(at, 1);
      return line ?? { text, until: null };
    });
  };
  /** Of the lines that are shown: a decision about several countries has ended for one of them where its lines have. */
  const stateOf = (change: SettingsChange, past: readonly PastLine[]): PastChange['state'] => {
    if (change.withdrawn) return 'withdrawn';
    if (change.validFrom > now) return 'planned';
    return past.every(({ until }) => until !== null) ? 'superseded' : 'in_force';
  };
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? id));
  const shown = settings.changes
    .filter((change) => change.section === section && isShown(change))
    .toSorted((a, b) => b.validFrom.getTime() - a.validFrom.getTime() || b.id - a.id);
  const history = shown.map((change): PastChange => {
    const past = pastLinesOf(change);
    return {
      id: change.id,
      validFrom: change.validFrom.getTime() === 0 ? null : change.validFrom.getTime(),
      decidedAt: change.createdAt.getTime(),
      who: nameOf(change.staffId),
      confirmedBy: nameOf(change.confirmedBy),
      alone: change.alone,
      reason: change.reason,
      lines: past,
      state: stateOf(change, past),
    };
  });
  if (!beginning) return history;
  const first = shown.findLast(
    ({ withdrawn, validFrom, values }) =>
      withdrawn === null && validFrom <= now && beginning.subject in values,
  );
  // A seeded decision counts from the beginning as well.
  const until = first?.validFrom.getTime() || null;
  history.push({
    id: 0,
    validFrom: null,
    decidedAt: 0,
    who: null,
    confirmedBy: null,
    alone: false,
    reason: '',
    lines: [{ text: beginning.line, until }],
    state: first ? 'superseded' : 'in_force',
  });
  return history;
}

export type SectionPage = Awaited<ReturnType<typeof loadSection>>;
