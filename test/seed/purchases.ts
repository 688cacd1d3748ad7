import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import {
  addDays,
  dateOf,
  daysBetween,
  TURKIYE,
  type PlainDate,
} from '../../src/base/dates/dates.ts';
import { firstOffice } from '../../src/base/dates/office.ts';
import { placeOrder } from '../../src/features/application/place-order.server.ts';
import { readPhone } from '../../src/features/application/read-phone.server.ts';
import {
  applicationById,
  applicationsOfOrder,
  type Application,
} from '../../src/features/application/store.server.ts';
import { allCountries, countryByCode } from '../../src/features/catalog/store.server.ts';
import { checkInsurance } from '../../src/features/insurance/purchase/check-insurance.server.ts';
import { placeInsurance } from '../../src/features/insurance/purchase/submit.server.ts';
import { contentHashOf } from '../../src/features/insurance/purchase/photo-upload.server.ts';
import { insertPhoto } from '../../src/features/insurance/store/photo-store.server.ts';
import { orderedGroup } from '../../src/features/group/order-group.server.ts';
import { offerBesideVisa } from '../../src/features/insurance/beside-visa.ts';
import { onSaleAt } from '../../src/features/insurance/store/plan-store.server.ts';
import { planFor, plans } from '../../src/features/insurance/rules/plans.ts';
import { orderByNumber, type Order } from '../../src/features/order/store.server.ts';
import { stages } from '../../src/features/payment/contract/testing/stages.ts';
import type { Stage } from '../../src/features/payment/contract/testing/stage.ts';
import { approve, simulatedPaypal } from '../../src/lab/paypal/simulated-paypal.server.ts';
import { orderByCustomId } from '../../src/lab/paypal/paypal-resources.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { providerNamed } from '../../src/features/payment/provider.ts';
import { currentSettings } from '../../src/features/settings/store.server.ts';
import { pathOf } from '../../src/features/visa/rules/answers.ts';
import { check } from '../../src/features/visa/rules/check.ts';
import { arrivalWindow, defaultSpeed, speedFit } from '../../src/features/visa/rules/ready-by.ts';
import { completeAnswers } from '../../src/features/visa/testing/sample-answers.ts';
import type { Platform } from '../../src/platform/platform.server.ts';
import { purchases, type PayingService } from '../purchases.ts';
import type { Traveller } from './travellers.ts';
import { needed } from '../needed.ts';

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
  const path = needed(pathOf(country, {}));
  const earliest = arrivalWindow(
    path,
    defaultSpeed(path, null, now, firstOffice) ?? '',
    now,
    firstOffice,
  ).earliest;
  const arrivalDate = addDays(earliest, later);
  const isSold = speedFit(path, wanted, arrivalDate, now, firstOffice) === 'in_time';
  const checkContext = { now, country, office: firstOffice, readPhone };
  const today = dateOf(now, TURKIYE);
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
  const sold = await onSaleAt(db, settings, now);
  const offer = options.along
    ? offerBesideVisa(sold, {
        dateOfBirth: traveller.dateOfBirth,
        arrivalDate,
        stayDays: checkContext.country.maxStayDays ?? 0,
      })
    : null;
  const plan = offer?.choices[0] ?? null;
  const ordered = orderedGroup(sealer, [{ values, checkContext, plan }], { settings, sold, now });
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
    checked.push({ values, checkContext, plan: null });
  }
  const settings = await currentSettings(db);
  const sold = await onSaleAt(db, settings, now);
  const ordered = orderedGroup(sealer, checked, { settings, sold, now });
  const { language } = family[0];
  const placed = await placeOrder(db, ordered, { language, sessionHash: null, now, settings });
  return applicationsOfOrder(db, needed(placed).order.number);
}

/** Applies for an insurance by the form's rules; for a minor with photos of a parent's ID. */
export async function insure(
  platform: Platform,
  { countryCode, language, ...person }: Traveller,
  { inDays, days }: { inDays: number; days: number },
): Promise<Application> {
  const { db, sealer, files } = platform;
  const now = platform.now();
  const travelDate = addDays(dateOf(now, TURKIYE), inDays);
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
        productId: needed(planFor(plans, daysBetween(travelDate, returnDate) + 1)).id,
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
      const stored = { ...photo, contentHash: contentHashOf(sealer, bytes), size: file.size };
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
  const played: Partial<Record<ProviderName, Stage>> = {};
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
