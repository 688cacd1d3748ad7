import type { ServiceCode } from '~/features/order/service-code.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { usd } from '~/base/money.ts';
import { makeNumber } from '~/features/application/number.ts';
import {
  applicationById,
  insertApplication,
  startClock,
  type Application,
} from '~/features/application/store.server.ts';
import { issueReceipt } from '~/features/order/receipt/issue-receipt.server.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import { insertOrder } from '~/features/order/new-order-store.server.ts';
import { payOrder } from '~/features/order/store.server.ts';
import { changeAttempt } from '~/features/payment/settlement/store.server.ts';
import type { Role } from '~/features/staff/roles.ts';
import { openSession, sessionCookie, staffOfAccount } from '~/features/staff/session.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { accountById, insertAccount } from '~/features/staff/store.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';
import { storeAttempt } from '~/features/payment/testing/sample-attempts.ts';

/** A PDF that passes the checks. */
export const goodPdf = (text = 'Visa'): Buffer => {
  const content = deflateSync(Buffer.from(`BT (${text}) Tj ET`));
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 3 0 R >>\nendobj\n'),
    Buffer.from('3 0 obj\n<< /Type /Pages /Kids [4 0 R] /Count 1 >>\nendobj\n'),
    Buffer.from('4 0 obj\n<< /Type /Page /Parent 3 0 R /MediaBox [0 0 612 792] >>\nendobj\n'),
    Buffer.from('2 0 obj\n'),
    Buffer.from(`<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF\n'),
  ]);
};

export type Case = Partial<typeof defaults> & { paid?: boolean; promisedAt?: Date | null };

const defaults = {
  kind: 'visa' as 'visa' | 'insurance',
  firstName: 'Thabo',
  lastName: 'Naidoo',
  email: 'thabo@example.org',
  countryCode: 'ZAF',
  service: 'standard' as ServiceCode,
  language: 'en',
  passportNumber: 'A01234547',
  supportingDocumentNumber: null as string | null,
  /** What was read from the passport's lines, as the form writes it. */
  machineReadableZone: null as string | null,
};

/** Stores an application with its order; by default paid by one completed payment. */
export async function storeCase(platform: Platform, given: Case = {}): Promise<Application> {
  const { paid = true, promisedAt, ...rest } = given;
  const facts = { ...defaults, ...rest };
  const { kind, passportNumber, supportingDocumentNumber, machineReadableZone, ...row } = facts;
  const now = platform.now();
  const id = randomUUID();
  const number = makeNumber(kind === 'visa' ? 'TRV' : 'TRI', randomBytes(12));
  const promised = promisedAt === undefined ? new Date(now.getTime() + 3600_000) : promisedAt;
  await platform.db.transaction(async (tx) => {
    const lines = [
      { applicationNumber: number, code: 'evisa_fee', detail: null, amount: usd(69_00) },
      {
        applicationNumber: number,
        code: 'processing_fee',
        detail: row.service,
        amount: usd(25_00),
      },
    ];
    const customer = { name: `${row.firstName} ${row.lastName}`, email: row.email };
    await insertOrder(
      tx,
      { number, language: row.language, customer, sessionHash: null, lines },
      now,
    );
    await insertApplication(tx, {
      ...row,
      id,
      kind,
      number,
      phone: '+27 11 555 0100',
      dateOfBirth: '1984-05-02',
      travelDocument: 'ordinary',
      startsOn: '2026-12-12',
      orderNumber: number,
      amountMinor: 94_00,
      currency: 'USD',
      createdAt: now,
    });
    if (kind === 'visa') {
      const { sealer } = platform;
      await tx.insert(visaApplication).values({
        applicationId: id,
        passportNumber: sealer.seal(passportNumber, `visa_application.passport_number:${id}`),
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
          machineReadableZone === null
            ? null
            : sealer.seal(machineReadableZone, `visa_application.machine_readable_zone:${id}`),
        ...(supportingDocumentNumber && {
          supportingDocumentType: 'visa' as const,
          supportingDocumentCountry: 'SCHENGEN',
          supportingDocumentNumber: sealer.seal(
            supportingDocumentNumber,
            `visa_application.supporting_document_number:${id}`,
          ),
          supportingDocumentStartDate: '2026-01-01',
          supportingDocumentEndDate: '2027-06-30',
        }),
      });
    }
    const providerReference = `tx-${randomUUID().slice(0, 8)}`;
    const attemptId = await storeAttempt(tx, { number, amountMinor: 94_00 }, now, {
      providerReference,
    });
    if (!paid) return;
    const completed = {
      state: 'completed',
      captureId: `c-${attemptId}`,
      completedAt: now,
    } as const;
    await changeAttempt(tx, { id: attemptId, from: 'redirected' }, completed);
    const order = await payOrder(tx, { number, attemptId, at: now });
    if (!order) throw new Error('The order was not paid');
    await issueReceipt(tx, platform.config, { order, lines: await linesOf(tx, order.id) });
    await startClock(tx, { id, paidAt: now, promisedAt: promised });
  });
  const stored = await applicationById(platform.db, id);
  if (!stored) throw new Error('The case was not stored');
  return stored;
}

const lowHash = hashPassword('correct horse battery', LOW_COST);

/** A staff account, and the cookie of its session. */
export async function storeStaff(
  platform: Platform,
  {
    name = 'E. Aydın',
    role = 'reviewer',
    passwordHash,
  }: { name?: string; role?: Role; passwordHash?: string } = {},
): Promise<Staff & { cookie: string }> {
  const id = randomUUID();
  const email = `${id.slice(0, 8)}@lale.example`;
  const now = platform.now();
  await insertAccount(platform.db, {
    id,
    email,
    name,
    role,
    passwordHash: passwordHash ?? (await lowHash),
    // Long enough ago to confirm what two administrators decide.
    createdAt: new Date(now.getTime() - 2 * 24 * 3600_000),
  });
  const account = await accountById(platform.db, id);
  if (!account) throw new Error('The account was not stored');
  const token = await openSession(platform.db, { accountId: id, half: false, now });
  const cookie = sessionCookie(platform, token).split(';')[0] ?? '';
  return { ...staffOfAccount(account), cookie };
}
