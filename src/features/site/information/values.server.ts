import { ADULT_YEARS } from '~/base/dates/dates.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { retentionInForce } from '../retention.server.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import { currentOperator } from '~/features/settings/operator.server.ts';
import { type Language, intlLocale } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import { countryOptions } from '~/features/catalog/names.server.ts';
import { countryNote } from '~/features/catalog/notes.ts';
import { type Country, isEligible, EVISA_VALIDITY_DAYS } from '~/features/catalog/regime.ts';
import { allCountries, findCountry } from '~/features/catalog/store.server.ts';
import { plansOnSale } from '~/features/insurance/store/plan-store.server.ts';
import { plans as firstPlans, type Plan } from '~/features/insurance/rules/plans.ts';
import { visaPrices } from '~/features/visa/store/store.server.ts';
import { waysToPay, type WaysToPay } from '~/features/order/fallback-provider.ts';
import type { Providers } from '~/features/payment/provider.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { EligibleCountry } from './countries-figure.tsx';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { AuthoritiesCharge } from '~/platform/config/sample-operator.ts';
import { formatHour, type Office } from '~/base/dates/office.ts';
import { listFormat, numberFormat } from '~/base/intl.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import {
  BANK_DAYS,
  refundPolicy,
  REVIEW_DAYS,
  TRANSFER_DAYS,
} from '~/features/order/refund-policy.ts';
import { ENTRY_MONTHS } from '~/features/application/entry-rule.ts';
import { LINK_DAYS, PASSPORT_MONTHS, STAY_WINDOW_DAYS } from '~/features/form/answers/limits.ts';
import { speedFee, totalRange, type PriceList } from '~/features/visa/rules/price-list.ts';
import { fields, questionByField } from '~/features/visa/rules/questions.ts';
import { speedsByPath, type PricePath } from '~/features/visa/rules/speeds.ts';
import * as retention from '../retention.ts';
import type { RetentionYears } from '../retention.ts';
import type { PlaceholderValue, PlaceholderValues } from './fill.ts';

/** Hours until we answer: within two days, urgent questions within one, by the customer's specification. */
const REPLY_HOURS = 48;
const URGENT_REPLY_HOURS = 24;
/** Business days until a complaint about an answer is decided. */
const ESCALATION_DAYS = 7;
/** Hours until we answer a security report. */
const SECURITY_EMERGENCY_HOURS = 24;
const SECURITY_REPORT_HOURS = 72;

/** What travellers need besides what the forms ask for, by the customer's specification: months that bank statements cover. */
const BANK_STATEMENT_MONTHS = 3;
/** The photo that authorities may ask for. */
const PHOTO = {
  format: 'JPEG',
  largestMegabytes: 1,
  dotsPerInch: 300,
  widthMillimetres: 50,
  heightMillimetres: 60,
  takenWithinMonths: 6,
} as const;

/** The data behind the placeholders: the operator's configuration and what is on sale. */
export type SiteFacts = {
  operator: {
    legalName: string;
    address: string;
    taxNumber: string;
    supportEmail: string;
    supportPhone: string;
    authoritiesCharge?: AuthoritiesCharge;
  };
  countries: readonly Country[];
  /** Shortest first, at least one: while none is sold, the seeded plans, for the figures in running text. */
  plans: readonly Plan[];
  prices: PriceList;
  office: Office;
  retention: RetentionYears;
  waysToPay: WaysToPay;
};

const TURKIYE_HOURS_AHEAD = 3;

const counted = (count: number): PlaceholderValue => ({ text: String(count), count });
/** Isolated left to right, so that a range keeps its order inside Arabic. */
const range = ({ min, max }: { min: number; max: number }): PlaceholderValue => ({
  text: `\u2066${min}–${max}\u2069`,
  count: max,
});
const plain = (text: string): PlaceholderValue => ({ text });
/** Isolated, so that a Latin text keeps its order inside Arabic. */
const isolated = (text: string): PlaceholderValue => ({ text: `\u2068${text}\u2069` });
const clock = (hour: number, language: Language): PlaceholderValue =>
  plain(formatHour(hour, language));

/**
 * What an e-visa application asks about the traveller, for the privacy texts; a supporting document counts as one. The
 * chosen speed belongs to the order.
 */
function visaQuestions(language: Language): string {
  const locale = intlLocale(language);
  const asked = fields.filter((field) => {
    const { group } = questionByField(field);
    if (group === 'document') return field === 'hasSupportingDocument';
    return group !== null && field !== 'processingType';
  });
  const labels = asked.map((field) => makeTranslate(language)(`visa:labels.${field}`));
  // German nouns keep their capital.
  const inSentence = (label: string) =>
    language === 'de' ? label : label.charAt(0).toLocaleLowerCase(locale) + label.slice(1);
  return listFormat(locale).format(labels.map(inSentence));
}

/** Every placeholder that a text may use, in a language. */
export function placeholderValues(
  { operator, countries, plans, prices, office, retention: kept, waysToPay }: SiteFacts,
  language: Language,
): PlaceholderValues {
  const percent = numberFormat(intlLocale(language), { style: 'percent' });
  const share = (value: number): PlaceholderValue => plain(percent.format(value / 100));
  const price = (money: Money): PlaceholderValue => plain(formatMoney(money, language));
  const eligible = countries.filter(isEligible);
  const stays = eligible.flatMap(({ maxStayDays }) => maxStayDays ?? []);
  const [early, late] = refundPolicy.insuranceShares;
  const planPrices = plans.map(({ price }) => price.minor);
  const cheapest = plans.find(({ price }) => price.minor === Math.min(...planPrices));
  if (!cheapest || stays.length === 0) throw new Error('There is nothing on sale');
  const photo = PHOTO;

  return new Map<string, PlaceholderValue>([
    ['operator.name', isolated(operator.legalName)],
    ['operator.address', isolated(operator.address)],
    ['operator.taxNumber', isolated(operator.taxNumber)],
    ['operator.email', isolated(operator.supportEmail)],
    ['operator.phone', isolated(operator.supportPhone)],
    ['mail.support', plain(`mailto:${operator.supportEmail}`)],

    [
      'authorities.charge',
      plain(
        makeTranslate(language)(
          `catalog:authoritiesCharge.${operator.authoritiesCharge ?? 'not_included'}`,
        ),
      ),
    ],
    ['pay.means', plain(makeTranslate(language)(`site:home.ways.means.${waysToPay}`))],
    ['fee.evisa', price(prices.evisaFee)],
    ['total.lowest', price(totalRange(prices).lowest)],
    ['total.highest', price(totalRange(prices).highest)],
    ...pathPrices(prices, 'without', 'without_document', price),
    ...pathPrices(prices, 'with', 'with_document', price),
    ['insurance.lowest', price(cheapest.price)],
    ['insurance.shortest', counted(cheapest.days)],
    ['insurance.adult', counted(ADULT_YEARS)],
    ['questions.visa', plain(visaQuestions(language))],

    ['hours.opening', clock(office.opens, language)],
    ['hours.closing', clock(office.closes, language)],
    ['hours.openingTurkiye', clock(office.opens + TURKIYE_HOURS_AHEAD, language)],
    ['hours.closingTurkiye', clock(office.closes + TURKIYE_HOURS_AHEAD, language)],

    ['countries.eligible', counted(eligible.length)],
    ['countries.without', counted(eligible.filter(({ regime }) => regime === 'evisa').length)],
    [
      'countries.with',
      counted(eligible.filter(({ regime }) => regime === 'evisa_with_document').length),
    ],
    ['stay.shortest', counted(Math.min(...stays))],
    ['stay.longest', counted(Math.max(...stays))],
    ['stay.window', counted(STAY_WINDOW_DAYS)],
    ['evisa.validity', counted(EVISA_VALIDITY_DAYS)],
    ['passport.validity', counted(PASSPORT_MONTHS)],
    ['entry.window', counted(ENTRY_MONTHS)],
    ['bank.statement', counted(BANK_STATEMENT_MONTHS)],
    ['photo.format', plain(photo.format)],
    ['photo.size', plain(`\u2066${photo.widthMillimetres} × ${photo.heightMillimetres}\u2069`)],
    ['photo.largest', counted(photo.largestMegabytes)],
    ['photo.resolution', counted(photo.dotsPerInch)],
    ['photo.age', counted(photo.takenWithinMonths)],

    ['refund.full', share(100)],
    ['refund.fullWithin', counted(refundPolicy.fullRefundHours)],
    ['refund.pending', share(refundPolicy.pendingShare)],
    ['refund.pendingWithin', counted(refundPolicy.pendingHours)],
    ['refund.none', share(0)],
    ['refund.premiumEarly', share(early.share)],
    ['refund.premiumEarlyUntil', counted(early.hoursBefore)],
    ['refund.premiumLate', share(late.share)],
    ['refund.premiumLateUntil', counted(late.hoursBefore)],
    ['refund.request', counted(refundPolicy.requestDays)],
    ['refund.review', range(REVIEW_DAYS)],
    ['refund.transfer', range(TRANSFER_DAYS)],
    ['refund.bank', range(BANK_DAYS)],

    ['reply.normal', counted(REPLY_HOURS)],
    ['reply.urgent', counted(URGENT_REPLY_HOURS)],
    ['reply.escalation', counted(ESCALATION_DAYS)],
    ['security.emergency', counted(SECURITY_EMERGENCY_HOURS)],
    ['security.report', counted(SECURITY_REPORT_HOURS)],

    ...Object.entries(kept).map(([kind, years]) => [`retention.${kind}`, counted(years)] as const),
    ['draft.days', counted(retention.DRAFT_DAYS)],
    ['draft.link', counted(LINK_DAYS)],
    ['kvkk.reply', counted(retention.KVKK_REPLY_DAYS)],
    ['kvkk.complaint', counted(retention.KVKK_COMPLAINT_DAYS.afterAnswer)],
    ['kvkk.complaintLatest', counted(retention.KVKK_COMPLAINT_DAYS.afterRequest)],
  ]);
}

/** Processing prices and totals of one path: `fee.with.lowest`, `total.with.highest`. */
function pathPrices(
  prices: PriceList,
  name: string,
  path: PricePath,
  price: (money: Money) => PlaceholderValue,
): (readonly [string, PlaceholderValue])[] {
  const speeds = speedsByPath(path);
  const totals = totalRange(prices, path);
  return [
    ...[['lowest', speeds[0]] as const, ['highest', speeds.at(-1)] as const].flatMap(
      ([end, speed]) =>
        speed
          ? [[`fee.${name}.${end}`, price(speedFee(prices, path, speed.processingType))] as const]
          : [],
    ),
    [`total.${name}.lowest`, price(totals.lowest)],
    [`total.${name}.highest`, price(totals.highest)],
  ];
}

/** Configuration, countries and plans at present. */
export async function currentFacts(
  platform: Platform,
  providers: Providers,
): Promise<SiteFacts & { sold: readonly Plan[] }> {
  const [countries, plans, prices, operator, settings] = await Promise.all([
    allCountries(platform),
    currentPlans(platform),
    visaPrices(platform),
    currentOperator(platform),
    currentSettings(platform.db),
  ]);
  const retention = retentionInForce(settings, platform.now());
  const onSale = plans.length > 0 ? plans : firstPlans;
  const ways = waysToPay(providers);
  const office = officeInForce(settings, platform.now());
  return {
    operator,
    countries,
    plans: onSale,
    sold: plans,
    prices,
    office,
    retention,
    waysToPay: ways,
  };
}

/** The plans on sale, shortest first; empty while insurance is not sold. */
export async function currentPlans({ db, now }: Platform): Promise<readonly Plan[]> {
  return plansOnSale(db, now());
}

/** Nationalities with an e-visa, named and sorted as readers of the language expect. */
export const eligibleCountries = oncePerLanguage(
  (countries: readonly Country[], language: Language): readonly EligibleCountry[] =>
    countryOptions(countries, language).flatMap(({ id, name }): EligibleCountry[] => {
      const country = findCountry(countries, id);
      if (!country) return [];
      const { code, regime, maxStayDays, entries } = country;
      if (maxStayDays === null || entries === null) return [];
      const path = regime === 'evisa' ? 'without_document' : 'with_document';
      return [{ code, name, path, stayDays: maxStayDays, entries, note: countryNote(country) }];
    }),
);
