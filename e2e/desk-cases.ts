import { randomUUID } from 'node:crypto';
import { addDays, toPlainDate, UTC } from '../src/base/dates/dates.ts';
import { insertHold } from '../src/features/application/holds.server.ts';
import type { Application } from '../src/features/application/store.server.ts';
import { openCase, recordIdentity } from '../src/features/desk/privacy/cases.server.ts';
import { orderByNumber } from '../src/features/order/store.server.ts';
import type { Staff } from '../src/features/staff/staff.ts';
import type { Platform } from '../src/platform/platform.server.ts';
import { eq } from 'drizzle-orm';
import { linkEmail } from '../src/features/application/change-email.server.ts';
import { refundOrder } from '../src/features/desk/money/refunds.server.ts';
import {
  storeStaff,
  goodPdf,
  textPdf,
} from '../src/features/desk/application/testing/case-store.server.ts';
import type { EmailKind } from '../src/features/email/ledger/tables.server.ts';
import {
  insertEmail,
  markFailed,
  markSent,
  storeContent,
} from '../src/features/email/ledger/store.server.ts';
import type { ReconciliationDifference } from '../src/features/payment/reconcile/compare.ts';
import { reconciliation, reconciliationRow } from '../src/features/payment/tables.server.ts';
import {
  attemptsByReference,
  raiseAlert,
} from '../src/features/payment/settlement/store.server.ts';
import { invite } from '../src/features/staff/accounts/invitation.server.ts';
import { staffAccount } from '../src/features/staff/tables.server.ts';
import { correctionAddress } from '../src/features/application/reopened.server.ts';
import { askCorrection } from '../src/features/desk/application/ask-correction.server.ts';
import { decideApplication } from '../src/features/desk/application/decide.server.ts';
import { addNote } from '../src/features/desk/application/notes.server.ts';
import { draftDecision } from '../src/features/desk/application/draft.server.ts';
import { usd } from '../src/base/money.ts';
import { sectionVersion } from '../src/features/settings/decide.server.ts';
import { declineProposal, proposeChange } from '../src/features/settings/proposals.server.ts';
import { readSettings } from '../src/features/settings/store.server.ts';
import { addPdf } from '../src/features/desk/several/waiting-pdfs.server.ts';
import { upload } from '../src/features/desk/application/uploads.server.ts';
import { insertPhoto } from '../src/features/insurance/store/photo-store.server.ts';
import { applicationCorrections, makeApplication, makeInsurance } from '../test/make.ts';

/** A request that was not looked at and is overdue, an erasure that may go, and one that a hold keeps; their ids. */
async function storeRequests(
  platform: Platform,
  staff: Staff,
  { bare, pending }: { bare: Application; pending: Application },
): Promise<string[]> {
  const { db, sealer } = platform;
  const now = platform.now();
  const open = async (kind: string, daysAgo: number, { email }: Application) => {
    const opened = await openCase(platform, staff, {
      kind,
      arrivedOn: addDays(toPlainDate(now, UTC), -daysAgo),
      language: 'en',
      given: { number: '', email, passport: '' },
    });
    if (!opened.ok) throw new Error(opened.error.join());
    return opened.value;
  };
  const identify = async (id: string, { id: applicationId, orderNumber }: Application) => {
    const order = await orderByNumber(db, orderNumber);
    const own = {
      applicationIds: [applicationId],
      orderIds: order ? [order.id] : [],
      draftIds: [],
      caseIds: [],
      staffIds: [],
    };
    await recordIdentity(platform, staff, id, { check: 'email_reply', own });
  };
  const access = await open('access', 12, bare);
  await open('correction', 45, pending);
  const erasure = await open('erasure', 25, bare);
  await identify(erasure, bare);
  const blocked = await open('erasure', 3, pending);
  await identify(blocked, pending);
  await db.transaction((tx) =>
    insertHold(tx, sealer, {
      id: randomUUID(),
      orderNumber: pending.orderNumber,
      applicationId: pending.id,
      why: 'Claim announced by a lawyer on 3 November, see the letter in the file.',
      placedBy: staff.id,
      placedAt: now,
      until: new Date(now.getTime() + 400 * 24 * 3_600_000),
    }),
  );
  return [access, erasure, blocked];
}

/** Emails about an application: one sent, one failed, one queued, one repeated. */
async function storeEmails(
  { db, sealer, now }: Platform,
  { id: about, email, number }: Application,
  staff: Staff,
): Promise<void> {
  const at = now();
  const store = async (kind: EmailKind, resentFrom?: string) => {
    const repeat = resentFrom && { isRepeat: true, resentFrom, staffId: staff.id };
    const { id } = await insertEmail(db, { kind, about, createdAt: at, ...repeat });
    await linkEmail(db, id, [about]);
    const content = { to: email, subject: `Your application ${number}`, body: null };
    await storeContent(db, sealer, id, content);
    return id;
  };
  const received = await store('received');
  await markSent(db, received, at);
  await markSent(db, await store('received', received), at);
  await markFailed(db, await store('correction'), { at, failure: 'address' });
  await store('refunded');
}

/** A refund that waits for a release. */
async function holdRefund(platform: Platform, staff: Staff, number: string): Promise<void> {
  const order = await orderByNumber(platform.db, number);
  if (!order) throw new Error(`No order ${number}`);
  // As a reviewer, so that it is held above the configured sum.
  const held = await refundOrder(platform, { ...staff, role: 'reviewer' }, order, {
    choice: { cause: 'our_error', askedAt: platform.now(), applications: [number] },
    note: 'The traveller was promised an answer by Friday and did not get one.',
    amounts: new Map(),
  });
  if (!held.ok) throw new Error(JSON.stringify(held.error));
}

/** One alert of each kind. */
async function storeAlerts({ db, now }: Platform, { orderNumber }: Application) {
  const [attempt] = await attemptsByReference(db, orderNumber);
  const attemptId = attempt?.id ?? null;
  const details = {
    wrong_amount: { amount: '93.00', currency: 'USD', transactionId: 'c-5f0e1b' },
    capture_reused: { captureId: 'c-5f0e1b' },
    unknown_reference: { transactionId: 'tx-77c1', amount: '94.00', currency: 'EUR' },
    paid_twice: { captureId: 'c-5f0e1c' },
    refund_failed: { message: 'The card was closed by its bank.', amount: '25.00' },
    pending_long: { reason: 'PENDING_REVIEW' },
    disputed: {
      captureId: 'ch_3c0ffee5f00d0000000000ab',
      status: 'needs_response',
      reason: 'fraudulent',
      amountMinor: 94_00,
    },
    books_amount: { day: '2026-11-20', ourCaptured: '94.00', theirCaptured: '90.00' },
    books_no_answer: { day: '2026-11-20', count: 3 },
  } as const;
  await db.transaction(async (tx) => {
    for (const [kind, detail] of Object.entries(details)) {
      const known = kind as keyof typeof details;
      const raised = { id: randomUUID(), detail, raisedAt: now() };
      await raiseAlert(tx, { ...raised, kind: known, attemptId });
    }
  });
}

/** Two days of reconciliation: one that agrees, one with a row of each difference. */
async function storeReports({ db, now }: Platform, paid: readonly Application[]) {
  const at = now();
  const dayBefore = (days: number) =>
    new Date(at.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const found: ReconciliationDifference[][] = [
    ['missing_there'],
    ['amount', 'capture_id'],
    ['refund_amount'],
  ];
  const report = {
    startedAt: at,
    finishedAt: at,
    attempts: 12,
    unanswered: 0,
    differing: 0,
    capturedMinor: 112_800,
    refundedMinor: 9_400,
  };
  await db
    .insert(reconciliation)
    .values([
      { ...report, day: dayBefore(1), provider: 'card', differing: found.length },
      { ...report, day: dayBefore(1), provider: 'paypal', unanswered: 2, finishedAt: null },
      { ...report, day: dayBefore(2), provider: 'card' },
      { ...report, day: dayBefore(2), provider: 'stripe', feesMinor: 3_632 },
    ])
    .onConflictDoNothing();
  const rows = await Promise.all(
    found.map(async (differences, index) => {
      const reference = paid[index]?.orderNumber ?? '';
      const [attempt] = await attemptsByReference(db, reference);
      if (!attempt) throw new Error(`${reference} was not paid`);
      const isMissing = differences.includes('missing_there');
      return {
        day: dayBefore(1),
        attemptId: attempt.id,
        provider: 'card',
        reference,
        state: attempt.state,
        capturedMinor: 9_400,
        refundedMinor: 0,
        ourCapturedMinor: 9_400,
        ourRefundedMinor: 0,
        ourRefundingMinor: 0,
        theirCapturedMinor: isMissing ? null : 9_000,
        theirCaptureId: isMissing ? null : 'c-5f0e1b',
        theirRefundedMinor: isMissing ? null : 2_500,
        differences,
        differs: true,
        settled: index === 2,
      };
    }),
  );
  await db.insert(reconciliationRow).values(rows);
}

/** A deactivated colleague, and an invited one. */
async function storeColleagues(platform: Platform, by: Staff): Promise<void> {
  const gone = await storeStaff(platform, { name: 'B. Öztürk' });
  await platform.db.update(staffAccount).set({ active: false }).where(eq(staffAccount.id, gone.id));
  const invited = await invite(platform, by, {
    email: `new.${randomUUID().slice(0, 8)}@lale.example`,
    name: 'C. Demir',
    role: 'manager',
    language: 'tr',
  });
  if (!invited.ok) throw new Error(invited.error);
}

const HOUR_MS = 3600_000;

export type DeskCases = Awaited<ReturnType<typeof storeDeskCases>>;

/**
 * Applications in every state, as the desk shows them; names and numbers are invented. Some are late or due soon, and
 * so the most urgent ones: `daysLater` moves all promised moments, where other tests work at this desk.
 */
export async function storeDeskCases(platform: Platform, { daysLater = 0 } = {}) {
  const { db, sealer, files } = platform;
  const now = platform.now();
  const inHours = (hours: number) => new Date(now.getTime() + (hours + daysLater * 24) * HOUR_MS);
  const clerk = await storeStaff(platform, { name: 'E. Aydın' });
  const manager = await storeStaff(platform, { name: 'S. Kaya', role: 'manager' });
  const administrator = await storeStaff(platform, { name: 'D. Yılmaz', role: 'administrator' });

  /** A distinct person, because the same passport or email would be a possible duplicate. */
  const traveller = (firstName: string, lastName: string) => {
    const own = randomUUID().slice(0, 7);
    const email = `${firstName.toLowerCase().replace(/[^a-z]/g, '')}.${own}@traveller.example`;
    return { firstName, lastName, email, passportNumber: `N${own.toUpperCase()}` };
  };
  const rao = {
    ...traveller('Meera', 'Rao'),
    countryCode: 'IND',
    service: 'express' as const,
    email: 'meera.rao@travels-with-a-very-long-name.example',
    supportingDocumentNumber: 'D12345678',
  };
  const pending = await makeApplication(platform, { ...rao, promisedAt: inHours(2.2) });
  const twin = await makeApplication(platform, {
    ...rao,
    service: 'standard',
    promisedAt: inHours(90),
  });
  const late = await makeApplication(platform, {
    ...traveller('João', 'Fernandes'),
    countryCode: 'CPV',
    promisedAt: inHours(-0.5),
  });
  const soon = await makeApplication(platform, {
    ...traveller('Mohammed Abdulrahman', 'Al-Jubouri Al-Baghdadi'),
    countryCode: 'IRQ',
    service: 'urgent',
    promisedAt: inHours(0.6),
  });
  const ruiz = traveller('Sofía', 'Hernández Ruiz');
  const unpaid = await makeApplication(platform, { ...ruiz, paid: false });
  const campbell = traveller('Andre', 'Campbell');
  const processing = await makeApplication(platform, { ...campbell, promisedAt: inHours(30) });
  // Pending until they are decided below, so that nobody else at this desk is given one meanwhile.
  const storeSoon = (own: ReturnType<typeof traveller>) =>
    makeApplication(platform, { ...own, promisedAt: inHours(1) });
  const approved = await storeSoon(traveller('Yu-ting', 'Chen'));
  const bare = await storeSoon(traveller('Eleni', 'Ioannou'));
  const rejected = await storeSoon(traveller('Nuwan', 'Perera'));
  const waiting = await storeSoon(traveller('Awa', 'Ilboudo'));
  await makeInsurance(platform, { paid: true });
  const minor = await makeInsurance(platform, {
    dateOfBirth: '2014-02-28',
    firstName: 'Diego',
    paid: true,
  });
  for (const name of ['mother (1).jpg', 'a photograph with a rather long name of the father.jpg']) {
    const file = await files.put(Buffer.from(name), { mediaType: 'image/jpeg' });
    const photo = { id: randomUUID(), name, contentHash: Buffer.from(name) };
    const named = { ...photo, fileId: file.id, size: 1_840_000 };
    await insertPhoto(db, sealer, { applicationId: minor.id }, named, now);
  }

  const done = async <T extends { ok: boolean }>(outcome: Promise<T>) => {
    const found = await outcome;
    if (!found.ok) throw new Error(JSON.stringify(found));
    return found;
  };
  await done(
    decideApplication(platform, clerk, { kind: 'start_processing', applicationId: processing.id }),
  );
  const pdf = await upload(platform, clerk, goodPdf());
  if (!pdf.ok) throw new Error(pdf.error);
  await done(
    decideApplication(platform, clerk, {
      kind: 'approve',
      applicationId: approved.id,
      fileId: pdf.value.id,
    }),
  );
  await done(decideApplication(platform, clerk, { kind: 'approve', applicationId: bare.id }));
  await done(
    decideApplication(platform, clerk, {
      kind: 'reject',
      applicationId: rejected.id,
      code: 'details_differ',
      reason: 'The passport page shows another surname.',
    }),
  );
  const corrected = { fields: ['firstName', 'passportExpiryDate', 'phone', 'address'] };
  const asked = { note: 'Please write the name as the passport has it.', ...corrected };
  await done(askCorrection(platform, clerk, { applicationId: waiting.id, ...asked }));
  await done(
    askCorrection(platform, clerk, {
      applicationId: minor.id,
      fields: ['firstName', 'returnDate', 'parentIdPhotos'],
      note: 'The photograph of the mother’s identity card is too dark to read.',
    }),
  );

  for (const [by, typed] of [
    [clerk, 'Called the traveller: arrives with a group of eleven, same agency.'],
    [manager, 'Check the residence permit before approving.\n\nSee the reply of Monday.'],
  ] as const) {
    await done(addNote(platform, by, { id: randomUUID(), applicationId: pending.id, typed }));
  }
  await storeEmails(platform, pending, clerk);
  await holdRefund(platform, clerk, twin.number);
  await holdRefund(platform, administrator, processing.number);
  for (const [name, bytes] of [
    ['e-visa 17.pdf', textPdf([rao.passportNumber, 'RAO', 'MEERA'])],
    [`${soon.number} with a rather long name.pdf`, goodPdf('named')],
    ['scan 0001.pdf', goodPdf('unknown')],
  ] as const)
    await done(addPdf(platform, administrator, new File([new Uint8Array(bytes)], name)));
  const planned = await draftDecision(platform, administrator, late, { kind: 'approve' });
  if (!planned.ok) throw new Error(planned.error.code);

  await storeAlerts(platform, rejected);
  await storeReports(platform, [approved, bare, rejected]);
  await storeColleagues(platform, administrator);
  const requests = await storeRequests(platform, administrator, { bare, pending });
  await proposePrice(platform);
  return {
    staff: { clerk, manager, administrator },
    numbers: { pending, unpaid, processing, approved, rejected, waiting, minor },
    requests,
    decision: `${late.number}/decision/${planned.value}`,
    /** The links in the emails to the two travellers. */
    corrections: {
      visa: await correctionPath(platform, waiting),
      insurance: await correctionPath(platform, minor),
    },
  };
}

/** A change of a price that waits for a second administrator, and one that was declined. */
async function proposePrice(platform: Platform): Promise<void> {
  const { db } = platform;
  const [author, reader] = [
    await storeStaff(platform, { name: 'K. Arslan', role: 'administrator' }),
    await storeStaff(platform, { name: 'L. Çelik', role: 'administrator' }),
  ];
  const now = platform.now();
  const quiet = async () => undefined;
  for (const minor of [79_00, 72_00]) {
    const proposed = await proposeChange(
      db,
      {
        section: 'visa_prices',
        values: { evisa_fee: usd(minor) },
        validFrom: null,
        reason: 'Costs went up',
        staffId: author.id,
        seen: sectionVersion(await readSettings(db), 'visa_prices'),
        now,
      },
      () => true,
      quiet,
    );
    if (!proposed.ok) throw new Error(proposed.error);
    if (minor === 72_00) continue;
    const asked = { section: 'visa_prices', id: proposed.value, staffId: reader.id, now } as const;
    await declineProposal(db, { ...asked, why: 'Not before the holidays' }, quiet);
  }
}

/** The page of a traveller's latest correction, without its language. */
async function correctionPath(platform: Platform, found: Application): Promise<string> {
  const [correction] = await applicationCorrections(platform.db, found.id);
  if (!correction) throw new Error(`Nothing was asked about ${found.number}`);
  return new URL(correctionAddress(platform, correction, found)).pathname.replace(/^\/\w\w\//, '/');
}
