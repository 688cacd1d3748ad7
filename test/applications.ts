import { randomBytes, randomUUID } from 'node:crypto';
import { usd } from '../src/base/money.ts';
import { makeNumber } from '../src/features/application/number.ts';
import {
  attachDocument,
  changeStatus,
  insertApplication,
  type Application,
} from '../src/features/application/store.server.ts';
import { insertOrder } from '../src/features/order/new-order-store.server.ts';
import type { Order } from '../src/features/order/store.server.ts';
import { visaApplication } from '../src/features/visa/store/tables.server.ts';
import type { Platform } from '../src/platform/platform.server.ts';

/** An unpaid visa application of 94.00 with its order, as the wizard stores it. */
export async function placeApplication(
  platform: Platform,
  overrides: Partial<Application> = {},
  /** Of the payer's browser. */
  sessionHash: Buffer | null = null,
): Promise<{ application: Application; order: Order }> {
  const now = platform.now();
  const kind = overrides.kind ?? 'visa';
  const number = makeNumber(kind === 'visa' ? 'TRV' : 'TRI', randomBytes(12));
  const email = overrides.email ?? 'sofia.hernandez@correo.example';
  return platform.db.transaction(async (tx) => {
    const order = await insertOrder(
      tx,
      {
        number,
        language: overrides.language ?? 'en',
        customer: { name: 'Sofía Hernández Ruiz', email },
        sessionHash,
        lines: [
          { applicationNumber: number, code: 'evisa_fee', detail: null, amount: usd(69_00) },
          {
            applicationNumber: number,
            code: 'processing_fee',
            detail: 'standard',
            amount: usd(25_00),
          },
        ],
      },
      now,
    );
    const application = await insertApplication(tx, {
      id: randomUUID(),
      kind,
      number,
      language: 'en',
      firstName: 'Sofía',
      lastName: 'Hernández Ruiz',
      email,
      phone: '+525512345678',
      dateOfBirth: '1990-03-27',
      countryCode: 'MEX',
      travelDocument: 'ordinary',
      startsOn: '2026-12-12',
      service: 'standard',
      orderNumber: number,
      amountMinor: 94_00,
      currency: 'USD',
      createdAt: now,
      ...overrides,
    });
    if (kind === 'visa')
      await tx.insert(visaApplication).values(visaAnswers(platform, application));
    return { application, order };
  });
}

function visaAnswers(platform: Platform, { id }: Application) {
  return {
    applicationId: id,
    passportNumber: platform.sealer.seal('G38215640', `visa_application.passport_number:${id}`),
    passportHash: platform.sealer.keyedHash('G38215640', 'visa_application.passport_hash'),
    passportIssueDate: '2022-05-10',
    passportExpiryDate: '2032-05-09',
    placeOfBirth: 'Puebla',
    motherName: 'Elena',
    fatherName: 'Luis',
    address: 'Calle 5 de Mayo 12, Puebla',
    stayDays: 30,
    entries: 'single' as const,
  };
}

/** Approves, with a PDF if there is one. */
export async function approve(
  platform: Platform,
  application: Application,
  pdf?: Uint8Array,
): Promise<void> {
  const at = platform.now();
  const file = pdf ? await platform.files.put(pdf, { mediaType: 'application/pdf' }) : null;
  await platform.db.transaction(async (tx) => {
    await changeStatus(tx, {
      id: application.id,
      from: 'pending',
      to: 'approved',
      at,
      staffId: null,
    });
    if (!file) return;
    await attachDocument(tx, {
      id: randomUUID(),
      applicationId: application.id,
      fileId: file.id,
      mediaType: 'application/pdf',
      size: file.size,
      createdAt: at,
    });
  });
}
