import {
  isFixedRetention,
  retentionBounds,
  settableRetention,
  SHORTENING_NOTICE_DAYS,
} from '~/features/site/retention.ts';
import { retentionInForce } from '~/features/site/retention.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  decideEach,
  makeNumberSetting,
  type OpeningSection,
  type OpenSection,
  isWebAddress,
  lineTooLong,
  MAX_LINE_LENGTH,
  readSettingText,
  type ControlGroup,
  type SettingsProblem,
  type TypedSettings,
} from './section.server.ts';
import { randomUUID } from 'node:crypto';
import { DAY_MS, typedDate, formatDate, parseDate } from '~/base/dates/dates.ts';
import {
  certificationsInForce,
  certificationValue,
  isValidOn,
  type Certification,
} from '~/features/settings/certifications.server.ts';
import { SETTINGS, sectionPages } from './sections.ts';
import {
  replacementInForce,
  type SettingsChange,
  type SettingsSection,
  type Settings,
} from '~/features/settings/change.ts';
import { data, generatePath, type RouterContextProvider } from 'react-router';
import { sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { listAccounts } from '~/features/staff/store.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { chaseBounds, CHASE_HOURS, chaseHours } from '../queue/list-query.server.ts';
import { openClosedDays } from './closed-days.server.ts';
import { openCountry } from './countries.server.ts';
import { openOperator } from './operator.server.ts';
import { openPlanPrices, openVisaPrices } from './prices.server.ts';
import { shownProposals } from './proposals.server.ts';
import { openTemplate } from './templates.server.ts';
import { openTerms } from './terms.server.ts';

/** How long personal data are kept: periods that can be set, and periods fixed by law. */
function openRetention({ language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  const settings = settableRetention.map((kind) => {
    const name = t(`retention.kind.${kind}`);
    return makeNumberSetting({
      name,
      subject: kind,
      label: t('retention.inYears', { kind: name }),
      hint: t('retention.bounds', retentionBounds[kind]),
      bounds: retentionBounds[kind],
      problem: 'years_outside',
      at: (decided, moment) => retentionInForce(decided, moment)[kind],
      words: (count) => t('retention.years', { count }),
    });
  });
  const decisions = decideEach('retention', language, [{ rows: settings.map((one) => [one]) }]);
  return {
    title: t('retention.title'),
    lead: t('retention.lead', { count: SHORTENING_NOTICE_DAYS }),
    ...decisions,
    view: (decided, now) => ({
      ...decisions.view(decided, now),
      above: [
        {
          heading: t('retention.fixed'),
          items: Object.entries(retentionInForce(decided, now)).flatMap(([kind, count]) =>
            isFixedRetention(kind)
              ? [{ lines: [`${t(`retention.kind.${kind}`)}: ${t('retention.years', { count })}`] }]
              : [],
          ),
        },
      ],
    }),
    earliest(values, decided, now) {
      const then = retentionInForce(decided, now);
      const isShorter = settableRetention.some(
        (kind) => Number(values[kind] ?? Infinity) < then[kind],
      );
      return isShorter ? new Date(now.getTime() + SHORTENING_NOTICE_DAYS * DAY_MS) : now;
    },
  };
}

/** How long the authority may have an application before staff ask about it. */
function openAuthority({ language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  const chase = makeNumberSetting({
    name: t('authority.chase'),
    subject: CHASE_HOURS,
    label: t('authority.chase'),
    hint: t('authority.bounds', chaseBounds),
    bounds: chaseBounds,
    problem: 'hours_outside',
    at: chaseHours,
    words: (count) => t('authority.hours', { count }),
  });
  return {
    title: t('authority.title'),
    lead: t('authority.lead'),
    isAtOnce: true,
    ...decideEach('authority', language, [{ rows: [[chase]] }]),
  };
}

const ID = /^[0-9a-f-]{36}$/;

/** Certifications; `?edit=` opens one, otherwise the form adds one. */
function openCertifications({ language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  /** "ISO 27001, no. 123, issued by Example, valid until 5 March 2027, https://…". */
  const inWords = ({ validUntil, ...one }: Certification): string => {
    const day = parseDate(validUntil);
    return t('certifications.inWords', {
      ...one,
      date: day ? formatDate(day, language) : validUntil,
    });
  };
  const fields = (opened: Certification | undefined): ControlGroup => ({
    rows: [
      ...(['name', 'number', 'issuer', 'evidence'] as const).map((field) => [
        {
          kind: 'text' as const,
          name: field,
          label: t(`certifications.field.${field}`),
          value: opened?.[field] ?? '',
          hint: field === 'evidence' ? t('certifications.evidenceHint') : undefined,
          latin: field === 'evidence' || field === 'number',
          type: field === 'evidence' ? ('url' as const) : undefined,
          maxLength: MAX_LINE_LENGTH,
          width: 'full' as const,
        },
      ]),
      [
        {
          kind: 'date',
          name: 'validUntil',
          label: t('certifications.field.validUntil'),
          value: opened?.validUntil ?? '',
        },
      ],
      ...(opened
        ? [
            [
              {
                kind: 'radio' as const,
                name: 'remove',
                label: t('certifications.keep'),
                value: 'no',
                options: (['no', 'yes'] as const).map((one) => ({
                  value: one,
                  label: t(`certifications.remove.${one}`),
                })),
              },
            ],
          ]
        : []),
    ],
  });
  return {
    title: t('certifications.title'),
    lead: t('certifications.lead'),
    view(settings, now, search) {
      const standing = certificationsInForce(settings, now);
      const opened = standing.find(({ id }) => id === search.get('edit'));
      return {
        above: [
          {
            texts: standing.length === 0 ? [t('certifications.none')] : [],
            items: standing.map((one) => ({
              lines: [
                isValidOn(one, now)
                  ? inWords(one)
                  : `${inWords(one)} · ${t('certifications.expired')}`,
              ],
              link: {
                to: `${SETTINGS}/certifications?edit=${one.id}#form`,
                label: t('certifications.open', { name: one.name }),
              },
            })),
          },
        ],
        form: {
          about: opened?.id,
          hidden: { id: opened?.id ?? randomUUID() },
          groups: [fields(opened)],
        },
      };
    },
    read(typed, settings, at) {
      const id = readSettingText(typed, 'id');
      if (!ID.test(id)) return { values: {}, problems: [] };
      const known = certificationsInForce(settings, at).find((one) => one.id === id);
      if (typed.remove === 'yes') return { values: known ? { [id]: null } : {}, problems: [] };
      const { value, problems } = readCertification(typed, at);
      const isSame = known !== undefined && inWords(known) === inWords(value);
      return { values: isSame ? {} : { [id]: value }, problems };
    },
    rows: (values, settings, at) =>
      Object.entries(values).map(([id, value]) => {
        const after = certificationValue.parse(value);
        const before = certificationsInForce(settings, at).find((one) => one.id === id);
        return {
          label: after?.name ?? before?.name ?? t('certifications.title'),
          before: before ? inWords(before) : null,
          after: after && inWords(after),
        };
      }),
    lines: ({ values }) =>
      Object.values(values).map((value) => {
        const read = certificationValue.parse(value);
        return read ? inWords(read) : t('certifications.removed');
      }),
  };
}

/** Reads one certification; every part is required. */
function readCertification(
  typed: TypedSettings,
  at: Date,
): { value: Certification; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const [name, number, issuer] = [
    readSettingText(typed, 'name'),
    readSettingText(typed, 'number'),
    readSettingText(typed, 'issuer'),
  ];
  for (const [field, text] of Object.entries({ name, number, issuer })) {
    if (text === '') problems.push({ field, code: 'certification_required' });
    else if (text.length > MAX_LINE_LENGTH) problems.push(lineTooLong(field));
  }
  const evidence = readSettingText(typed, 'evidence');
  if (!isWebAddress(evidence)) problems.push({ field: 'evidence', code: 'evidence_required' });
  const validUntil = typedDate(typed, 'validUntil');
  const value = { name, number, issuer, validUntil: validUntil ?? '', evidence };
  if (!validUntil) problems.push({ field: 'validUntil', code: 'day_unreal' });
  else if (!isValidOn(value, at)) problems.push({ field: 'validUntil', code: 'expired' });
  return { value, problems };
}

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
  authority: openAuthority,
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
  const { staff, platform, language } = await requireDesk(args, page.right);
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

type PastState = 'in_force' | 'superseded' | 'planned' | 'withdrawn';

/** The decisions that belong to a page, the latest first. */
function historyOf(
  { section, lines, isShown = () => true, beginning }: OpenSection & { section: SettingsSection },
  settings: Settings,
  names: ReadonlyMap<string, string>,
  now: Date,
) {
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
  /**
   * `superseded`: later decisions have replaced all its values. Of the lines that are shown: a decision about several
   * countries has ended for one of them where its lines have.
   */
  const stateOf = (change: SettingsChange, past: readonly PastLine[]): PastState => {
    if (change.withdrawn) return 'withdrawn';
    if (change.validFrom > now) return 'planned';
    return past.every(({ until }) => until !== null) ? 'superseded' : 'in_force';
  };
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? id));
  const shown = settings.changes
    .filter((change) => change.section === section && isShown(change))
    .toSorted((a, b) => b.validFrom.getTime() - a.validFrom.getTime() || b.id - a.id);
  const history = shown.map((change) => {
    const past = pastLinesOf(change);
    return {
      id: change.id,
      /** Null for seeded values. */
      validFrom: change.validFrom.getTime() === 0 ? null : change.validFrom.getTime(),
      decidedAt: change.createdAt.getTime(),
      /** Null for automatic decisions. */
      who: nameOf(change.staffId),
      /** The second administrator. */
      confirmedBy: nameOf(change.confirmedBy),
      /** Decided by the only administrator there was. */
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
export type PastChange = SectionPage['history'][number];
