import {
  addDays,
  addMonths,
  toPlainDate,
  TURKIYE,
  type PlainDate,
  daysBetween,
} from '../../src/base/dates/dates.ts';
import { languages, type Language } from '../../src/base/languages.ts';
import { firstNames, lastNames } from '../../bench/seed-names.ts';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { firstOffice } from '../../src/base/dates/office.ts';
import { placeOrder } from '../../src/features/application/place-order.server.ts';
import { readPhone } from '../../src/features/application/read-phone.server.ts';
import {
  applicationById,
  applicationsByOrder,
  type Application,
} from '../../src/features/application/store.server.ts';
import { allCountries, countryByCode } from '../../src/features/catalog/store.server.ts';
import { checkInsurance } from '../../src/features/insurance/purchase/check-insurance.server.ts';
import { placeInsurance } from '../../src/features/insurance/purchase/submit.server.ts';
import { hashPhoto } from '../../src/features/insurance/purchase/photo-upload.server.ts';
import { insertPhoto } from '../../src/features/insurance/store/photo-store.server.ts';
import { orderedGroup } from '../../src/features/group/submit-party.server.ts';
import { offerBesideVisa } from '../../src/features/insurance/beside-visa.ts';
import { readPlansOnSale } from '../../src/features/insurance/store/plan-store.server.ts';
import { shortestPlan, plans } from '../../src/features/insurance/rules/plans.ts';
import { orderByNumber, type Order } from '../../src/features/order/store.server.ts';
import { stages, type ContractStage } from '../../src/features/payment/testing/stages.ts';
import { approve, simulatedPaypal } from '../../src/lab/paypal/simulated-paypal.server.ts';
import { orderByCustomId } from '../../src/lab/paypal/paypal-resources.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { providerNamed } from '../../src/features/payment/provider.ts';
import { currentSettings } from '../../src/features/settings/store.server.ts';
import { pricePath } from '../../src/features/visa/rules/answers.ts';
import { check } from '../../src/features/visa/rules/check.ts';
import { arrivalWindow, defaultSpeed, speedFit } from '../../src/features/visa/rules/ready-by.ts';
import { completeAnswers } from '../../src/features/visa/testing/sample-answers.ts';
import type { Platform } from '../../src/platform/platform.server.ts';
import { purchases, type PayingService } from '../purchases.ts';
import type { Chance } from '../crash/random.ts';
import { needed } from '../needed.ts';

export type Traveller = {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  countryCode: string;
  dateOfBirth: PlainDate;
  passportNumber: string;
  passportIssueDate: PlainDate;
  passportExpiryDate: PlainDate;
  placeOfBirth: string;
  motherName: string;
  fatherName: string;
  address: string;
  language: Language;
};

/** Nationalities that get an e-visa, without and with a supporting document, and where their travellers live. */
const homes = [
  { country: 'ZAF', city: 'Durban', street: '12 Marine Parade', phone: '+27 31 555 01' },
  { country: 'MEX', city: 'Puebla', street: 'Calle 5 de Mayo 12', phone: '+52 33 1234 56' },
  { country: 'JAM', city: 'Kingston', street: '88 Hope Road', phone: '+1 876 922 12' },
  { country: 'MUS', city: 'Curepipe', street: '3 Royal Road', phone: '+230 5251 23' },
  { country: 'IND', city: 'Pune', street: '7 Laxmi Road', phone: '+91 98765 432' },
  { country: 'PAK', city: 'Lahore', street: '4 Mall Road', phone: '+92 301 23456' },
  { country: 'PHL', city: 'Cebu', street: '21 Colon Street', phone: '+63 905 123 45' },
  { country: 'VNM', city: 'Hanoi', street: '9 Hang Bai Street', phone: '+84 91 234 56' },
] as const;

const emailDomains = ['mail.example', 'correo.example', 'post.example', 'inbox.example'] as const;

const isInLatin = (name: string) => /^[\p{Script=Latin}-]+$/u.test(name);
/** Names that a passport's machine-readable lines can show. */
const inLatin = ([first, ...others]: readonly string[]): [string, ...string[]] => [
  first ?? '',
  ...others.filter(isInLatin),
];
const [givenNames, familyNames] = [inLatin(firstNames), inLatin(lastNames)];

/** The invented people of one story, each with an address and a passport of their own. */
export function makeTravellers(chance: Chance, story: number) {
  let made = 0;
  return (now: Date, age: { from: number; to: number } = { from: 19, to: 74 }): Traveller => {
    made += 1;
    const today = toPlainDate(now, TURKIYE);
    const home = chance.oneOf(homes);
    const [firstName, lastName] = [chance.oneOf(givenNames), chance.oneOf(familyNames)];
    const issued = addDays(today, -chance.whole(60, 1500));
    const folded = `${firstName}.${lastName}`.normalize('NFD').replace(/[^A-Za-z.]/g, '');
    return {
      firstName,
      lastName,
      email: `${folded.toLowerCase()}.${story}${made > 1 ? `.${made}` : ''}@${chance.oneOf(emailDomains)}`,
      phone: home.phone + String(chance.whole(10, 99)),
      countryCode: home.country,
      dateOfBirth: addDays(
        addMonths(today, -12 * chance.whole(age.from, age.to)),
        -chance.whole(1, 300),
      ),
      passportNumber: `N${chance.whole(10_000_000, 99_999_999)}`,
      passportIssueDate: issued,
      passportExpiryDate: addMonths(issued, 120),
      placeOfBirth: home.city,
      motherName: chance.oneOf(givenNames),
      fatherName: chance.oneOf(givenNames),
      address: `${home.street}, ${home.city}`,
      language: chance.oneOf(languages).code,
    };
  };
}

/** A service that also runs the jobs of its purchases and decisions. */
export type LivingService = PayingService & { runJobs(): Promise<void> };

export type PurchaseOptions = {
  speed?: string;
  /** Days from the earliest possible arrival to the chosen one. */
  later?: number;
  /** Whether an insurance is added. */
  along?: boolean;
};

/** A traveller's answers in the wizard, checked by its rules. */
async function answersOf(
  platform: Platform,
  { countryCode, language: _, ...person }: Traveller,
  { speed: wanted = 'standard', later = 20 }: PurchaseOptions,
) {
  const now = platform.now();
  const country = needed(await countryByCode(platform, countryCode));
  const path = needed(pricePath(country, {}));
  const earliest = arrivalWindow(
    path,
    defaultSpeed(path, null, now, firstOffice) ?? '',
    now,
    firstOffice,
  ).earliest;
  const arrivalDate = addDays(earliest, later);
  const isSold = speedFit(path, wanted, arrivalDate, now, firstOffice) === 'in_time';
  const checkContext = { now, country, office: firstOffice, readPhone };
  const today = toPlainDate(now, TURKIYE);
  const { problems, values } = check(
    {
      ...completeAnswers(country),
      ...person,
      ...(path === 'with_document' && {
        supportingDocumentStartDate: addDays(today, -90),
        supportingDocumentEndDate: addDays(today, 700),
      }),
      arrivalDate,
      processingType: isSold ? wanted : needed(defaultSpeed(path, arrivalDate, now, firstOffice)),
      nameConfirmed: 'yes',
    },
    checkContext,
  );
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return { values, checkContext, arrivalDate };
}

/** Applies for an e-visa by the wizard's rules; returns the unpaid application. */
export async function applyForVisa(
  platform: Platform,
  traveller: Traveller,
  options: PurchaseOptions = {},
): Promise<Application> {
  const { db, sealer } = platform;
  const now = platform.now();
  const { values, checkContext, arrivalDate } = await answersOf(platform, traveller, options);
  const settings = await currentSettings(db);
  const sold = await readPlansOnSale(db, settings, now);
  const offer = options.along
    ? offerBesideVisa(sold, {
        dateOfBirth: traveller.dateOfBirth,
        arrivalDate,
        stayDays: checkContext.country.maxStayDays ?? 0,
      })
    : null;
  const plan = offer?.choices[0] ?? null;
  const ordered = orderedGroup(sealer, [{ kind: 'visa', values, checkContext, plan }], {
    settings,
    sold,
    now,
  });
  const { language } = traveller;
  const placed = await placeOrder(db, ordered, { language, sessionHash: null, now, settings });
  return needed(await applicationById(db, needed(placed).applications[0].id));
}

/** Applies for a family in one order, paid by the first; returns their unpaid visas. All live in one country. */
export async function applyForFamily(
  platform: Platform,
  family: readonly [Traveller, ...Traveller[]],
  options: PurchaseOptions = {},
): Promise<Application[]> {
  const { db, sealer } = platform;
  const now = platform.now();
  const checked = [];
  for (const one of family) {
    const { values, checkContext } = await answersOf(platform, one, options);
    checked.push({ kind: 'visa' as const, values, checkContext, plan: null });
  }
  const settings = await currentSettings(db);
  const sold = await readPlansOnSale(db, settings, now);
  const ordered = orderedGroup(sealer, checked, { settings, sold, now });
  const { language } = family[0];
  const placed = await placeOrder(db, ordered, { language, sessionHash: null, now, settings });
  return applicationsByOrder(db, needed(placed).order.number);
}

/** Applies for an insurance by the form's rules; for a minor with photos of a parent's ID. */
export async function insure(
  platform: Platform,
  { countryCode, language, ...person }: Traveller,
  { inDays, days }: { inDays: number; days: number },
): Promise<Application> {
  const { db, sealer, files } = platform;
  const now = platform.now();
  const travelDate = addDays(toPlainDate(now, TURKIYE), inDays);
  const returnDate: PlainDate = addDays(travelDate, days);
  const bytes = await sharp({
    create: { width: 640, height: 404, channels: 3, background: '#b8c4cc' },
  })
    .jpeg()
    .toBuffer();
  const countries = await allCountries(platform);
  const file = await files.put(bytes, { mediaType: 'image/jpeg' });
  const placed = await db.transaction(async (tx) => {
    const checked = await checkInsurance(tx, platform, {
      countries,
      answers: {
        ...person,
        nationality: countryCode,
        productId: needed(shortestPlan(plans, daysBetween(travelDate, returnDate) + 1)).id,
        travelDate,
        returnDate,
      },
      total: null,
      photos: 1,
    });
    if (checked.kind !== 'valid') throw new Error(JSON.stringify(checked));
    const by = { language, sessionHash: null, now };
    const [made] = (await placeInsurance(tx, sealer, checked.input, by)).applications;
    if (checked.isMinor) {
      const photo = { id: randomUUID(), name: 'parent-id.jpg', fileId: file.id };
      const stored = { ...photo, contentHash: hashPhoto(sealer, bytes), size: file.size };
      await insertPhoto(tx, sealer, { applicationId: made.id }, stored, now);
    }
    return made;
  });
  return needed(await applicationById(db, placed.id));
}

/** Actions of payers, at the simulated providers over HTTP. */
export function makePayers(service: PayingService) {
  const { platform, payments } = service;
  const { start, comeBack } = purchases(service);
  const { host, port } = platform.config;
  const played: Partial<Record<ProviderName, ContractStage>> = {};
  for (const [name, play] of stages) played[name] = play(service);

  const orderOf = async (number: string): Promise<Order> =>
    needed(await orderByNumber(platform.db, number));

  /** To the service itself, whatever its public address is. */
  const goBack = async (address: string) => {
    const { pathname, search } = new URL(address);
    return comeBack(`http://${host}:${port}${pathname}${search}`);
  };

  /** Presses Pay; returns the attempt's id. */
  const begin = async (number: string, provider: ProviderName = 'card') =>
    start(await orderOf(number), [needed(providerNamed(payments.providers, provider))]);

  return {
    begin,
    orderOf,
    stage: (provider: ProviderName) => needed(played[provider]),
    approve: async (attemptId: string, provider: ProviderName = 'card') =>
      goBack(await needed(played[provider]).approve(attemptId)),
    decline: async (attemptId: string, provider: ProviderName = 'card') =>
      goBack(await needed(played[provider]).decline(attemptId)),
    /** PayPal accepts the payment and does not decide yet. */
    async approvePending(attemptId: string): Promise<void> {
      const paypal = needed(simulatedPaypal(platform));
      const { id } = needed(await orderByCustomId(paypal.db, attemptId));
      await goBack(needed(await approve(paypal, id, { outcome: 'pending' })));
    },
    cancel: async (attemptId: string, provider: ProviderName = 'card') =>
      goBack(await needed(played[provider]).cancel(attemptId)),
  };
}
