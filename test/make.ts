import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { z } from 'zod';
import { makeOnPaid } from '~/app/composition/payments.server.ts';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import {
  correctionsByApplication,
  type Correction,
} from '~/features/application/correction/correction-store.server.ts';
import { makeNumber } from '~/features/application/number.ts';
import {
  applicationById,
  applicationsByOrder,
  attachDocument,
  changeStatus,
  insertApplication,
  startClock,
  type Application,
} from '~/features/application/store.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { goodPdf } from '~/features/desk/application/testing/case-store.server.ts';
import { upload } from '~/features/desk/application/uploads.server.ts';
import { groupApi } from '~/features/group/api.server.ts';
import { placeInsurance } from '~/features/insurance/purchase/submit.server.ts';
import { plans } from '~/features/insurance/rules/plans.ts';
import { completeAnswers as insuredAnswers } from '~/features/insurance/testing/sample-answers.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { insertOrder } from '~/features/order/order-to-pay.server.ts';
import {
  linesByOrder,
  orderByNumber,
  payOrder,
  type Order,
} from '~/features/order/store.server.ts';
import { issueReceipt } from '~/features/order/receipt/issue-receipt.server.ts';
import { storeAttempt, storeCapture } from '~/features/payment/testing/sample-attempts.ts';
import type { VisaAnswers } from '~/features/visa/rules/answers.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { completeAnswers, countries } from '~/features/visa/testing/sample-answers.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { needed } from './needed.ts';

export type ApplicationOptions = Partial<Application> & {
  /** By one completed payment, with a receipt and the clock of its promise; so it is unless this says otherwise. */
  paid?: boolean;
  /** Whether the payer of an unpaid one was led to the card page. */
  begun?: boolean;
  /** Of the payer's browser. */
  sessionHash?: Buffer | null;
  passportNumber?: string;
  supportingDocumentNumber?: string | null;
  /** What was read from the passport's lines, as the form writes it. */
  machineReadableZone?: string | null;
};

/** Thabo Naidoo's application of 94.00 with its order, stored as the wizard stores it. */
export async function makeApplication(
  platform: Platform,
  {
    paid = true,
    begun = paid,
    sessionHash = null,
    passportNumber = 'A01234547',
    supportingDocumentNumber = null,
    machineReadableZone = null,
    promisedAt,
    ...facts
  }: ApplicationOptions = {},
): Promise<Application & { order: Order }> {
  const { db, sealer, config } = platform;
  const at = platform.now();
  const kind = facts.kind ?? 'visa';
  const number = makeNumber(kind === 'visa' ? 'TRV' : 'TRI', randomBytes(12));
  const row = {
    id: randomUUID(),
    kind,
    number,
    language: 'en',
    firstName: 'Thabo',
    lastName: 'Naidoo',
    email: 'thabo@example.org',
    phone: '+27 11 555 0100',
    dateOfBirth: '1984-05-02' as PlainDate,
    countryCode: 'ZAF',
    travelDocument: 'ordinary' as const,
    startsOn: '2026-12-12' as PlainDate,
    service: 'standard' as Application['service'],
    orderNumber: number,
    amountMinor: 94_00,
    currency: 'USD',
    createdAt: at,
    ...facts,
  };
  const fee = (code: string, detail: Application['service'] | null, minor: number) => ({
    applicationNumber: number,
    code,
    detail,
    amount: usd(minor),
  });
  return db.transaction(async (tx) => {
    const placed = await insertOrder(
      tx,
      {
        number,
        language: row.language,
        customer: { name: `${row.firstName} ${row.lastName}`, email: row.email },
        sessionHash,
        lines: [fee('evisa_fee', null, 69_00), fee('processing_fee', row.service, 25_00)],
      },
      at,
    );
    await insertApplication(tx, { ...row, ...(!paid && promisedAt && { promisedAt }) });
    if (kind === 'visa') {
      const seal = (column: string, value: string) =>
        sealer.seal(value, `visa_application.${column}:${row.id}`);
      await tx.insert(visaApplication).values({
        applicationId: row.id,
        passportNumber: seal('passport_number', passportNumber),
        passportHash: sealer.keyedHash(passportNumber, 'visa_application.passport_number'),
        passportIssueDate: '2023-01-11',
        passportExpiryDate: '2033-01-10',
        placeOfBirth: 'Durban',
        motherName: 'Nomsa Naidoo',
        fatherName: 'Sipho Naidoo',
        address: '12 Florida Road, Durban',
        stayDays: 30,
        entries: 'single',
        machineReadableZone:
          machineReadableZone === null ? null : seal('machine_readable_zone', machineReadableZone),
        ...(supportingDocumentNumber && {
          supportingDocumentType: 'visa' as const,
          supportingDocumentCountry: 'SCHENGEN',
          supportingDocumentNumber: seal('supporting_document_number', supportingDocumentNumber),
          supportingDocumentStartDate: '2026-01-01',
          supportingDocumentEndDate: '2027-06-30',
        }),
      });
    }
    const make = paid ? storeCapture : storeAttempt;
    const providerReference = `tx-${randomUUID().slice(0, 8)}`;
    const attemptId = begun ? await make(tx, placed, at, { providerReference }) : '';
    let order = placed;
    if (paid) {
      order = needed(await payOrder(tx, { number, attemptId, at }));
      await issueReceipt(tx, config, { order, lines: await linesByOrder(tx, order.id) });
      const promise = promisedAt === undefined ? new Date(at.getTime() + 3600_000) : promisedAt;
      await startClock(tx, { id: row.id, paidAt: at, promisedAt: promise });
    }
    return { ...needed(await applicationById(tx, row.id)), order };
  });
}

/** Sofía's insurance of 189.00 for 30 days from 12 December 2026, stored as its form stores it; unpaid unless asked. */
export async function makeInsurance(
  platform: Platform,
  {
    language = 'en',
    dateOfBirth = '1991-07-14',
    firstName = 'Sofía',
    paid = false,
  }: { language?: string; dateOfBirth?: string; firstName?: string; paid?: boolean } = {},
): Promise<Application> {
  await seedSales(platform);
  const placed = await platform.db.transaction((tx) =>
    placeInsurance(
      tx,
      platform.sealer,
      {
        plan: plans[2],
        traveller: {
          firstName,
          lastName: 'Hernández Ruiz',
          email: 'sofia.hernandez@correo.example',
          phone: '+52 33 1234 5678',
          dateOfBirth: makeDate(dateOfBirth),
          nationality: 'MEX',
          travelDocument: 'ordinary',
          passportNumber: 'G38215640',
          placeOfBirth: null,
        },
        trip: {
          travelDate: makeDate('2026-12-12'),
          returnDate: makeDate('2026-12-31'),
        },
      },
      { language, sessionHash: null, now: platform.now() },
    ),
  );
  const [{ id }] = placed.applications;
  const stored = async () => needed(await applicationById(platform.db, id));
  if (paid) await makePayment(platform, await stored());
  return stored();
}

/** A date as `2026-12-12`. */
export const makeDate = (text: string): PlainDate => needed(parseDate(text));

/** Countries and terms of insurance, which orders by call need. */
export const seedSales = ({ db, now }: Platform) =>
  seedAll(db, [seedCatalog, seedInsurance], now());

/** Answers of one traveller; one with a plan is insured. */
export type Traveller = VisaAnswers & { plan?: string };

/** Anna pays. Bela is an adult with an address of her own, Carl a child with Anna's, Dora a child with another. */
export const family: readonly Traveller[] = [
  { firstName: 'Anna', email: 'anna@mail.example', dateOfBirth: '1988-04-12' },
  {
    firstName: 'Bela',
    email: 'bela@mail.example',
    dateOfBirth: '1986-01-30',
    plan: '14-days',
  },
  {
    firstName: 'Carl',
    email: 'Anna@mail.example',
    dateOfBirth: '2015-02-03',
    plan: '14-days',
  },
  { firstName: 'Dora', email: 'dora@mail.example', dateOfBirth: '2017-09-21' },
];

export type MadeOrder = {
  order: Order;
  /** By traveller, in order. */
  visas: Application[];
  /** By the position of the traveller, from 1. */
  insurances: Map<number, Application>;
  totalAmount: string;
  /** Of the payer's browser. */
  cookie: string;
};

const priced = z.object({ totalAmount: z.string() });
const placed = z.object({ orderNumber: z.string() });

/**
 * One order of one to ten travellers from South Africa, placed by `POST /api/orders` with the sample's answers except for
 * those given; unpaid unless asked. The platform's clock must stand at the sample's `NOW`, and `seedSales` come before.
 */
export async function makeOrder(
  platform: Platform,
  {
    travellers = family,
    insured = [],
    paid = false,
    headers = {},
  }: {
    travellers?: readonly Traveller[];
    /** Names of adults who are insured without an e-visa, by 14 days from 12 December 2026. */
    insured?: readonly string[];
    paid?: boolean;
    headers?: Record<string, string>;
  } = {},
): Promise<MadeOrder> {
  const body = {
    applications: travellers.map(({ plan: _, ...answers }, index) => ({
      ...completeAnswers(countries.southAfrica),
      passportNumber: `P${(answers.firstName ?? 'Thandi').toUpperCase()}${index}`,
      ...answers,
    })),
    insurances: [
      ...travellers.flatMap(({ plan: productId }, application) =>
        productId ? [{ application, productId }] : [],
      ),
      ...insured.map((firstName, index) => ({
        ...insuredAnswers,
        nationality: 'DEU',
        firstName,
        passportNumber: `D1234567${index}`,
      })),
    ],
    ...(travellers.some(needsPhoto) && {
      parentIdPhotos: [{ name: 'mother.jpg', data: await samplePhoto() }],
    }),
  };
  const app = groupApi(platform);
  const post = (totalAmount: string) =>
    app.request('/api/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...body, totalAmount }),
    });
  // Asks for the price by sending a wrong one, as a client without a price list would.
  const { totalAmount } = priced.parse(await (await post('0.01')).json());
  const answer = await post(totalAmount);
  const content: unknown = await answer.json();
  if (answer.status !== 201) throw new Error(JSON.stringify(content));
  const { orderNumber: number } = placed.parse(content);
  if (paid) await makePayment(platform, { number });
  const together = await applicationsByOrder(platform.db, number);
  const insurances = together.filter(({ kind }) => kind === 'insurance');
  return {
    order: needed(await orderByNumber(platform.db, number)),
    visas: together.filter(({ kind }) => kind === 'visa'),
    insurances: new Map(insurances.map((one) => [one.travellerPosition, one])),
    totalAmount,
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

const needsPhoto = ({ plan, dateOfBirth = '' }: Traveller) => plan && dateOfBirth > '2009';

async function samplePhoto(): Promise<string> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#8ab' } });
  return `data:image/jpeg;base64,${(await image.jpeg().toBuffer()).toString('base64')}`;
}

/** Pays an order by card, with everything that a payment causes. */
export async function makePayment(
  platform: Platform,
  { number }: { number: string },
): Promise<void> {
  const order = needed(await orderByNumber(platform.db, number));
  const at = platform.now();
  await platform.db.transaction(async (tx) => {
    const attemptId = await storeCapture(tx, order, at);
    await makeOnPaid(platform.config)(tx, { reference: number, attemptId, at });
  });
}

/** Approves, with a PDF if there is one. */
export async function approve(
  platform: Platform,
  { id }: Application,
  pdf?: Uint8Array,
): Promise<void> {
  const at = platform.now();
  const file = pdf ? await platform.files.put(pdf, { mediaType: 'application/pdf' }) : null;
  await platform.db.transaction(async (tx) => {
    await changeStatus(tx, { id, from: 'pending', to: 'approved', at, staffId: null });
    if (!file) return;
    await attachDocument(tx, {
      id: randomUUID(),
      applicationId: id,
      fileId: file.id,
      mediaType: 'application/pdf',
      size: file.size,
      createdAt: at,
    });
  });
}

/** Uploads a good PDF, as staff do before they approve with it; returns the file's id. */
export async function uploadPdf(platform: Platform, staff: Staff): Promise<string> {
  const file = await upload(platform, staff, goodPdf());
  if (!file.ok) throw new Error(file.error);
  return file.value.id;
}

/** All corrections asked of one application, newest first. */
export const applicationCorrections = async (
  db: Queryable,
  applicationId: string,
): Promise<Correction[]> =>
  (await correctionsByApplication(db, [applicationId])).get(applicationId) ?? [];
