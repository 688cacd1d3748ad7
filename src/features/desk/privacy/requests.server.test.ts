import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { z } from 'zod';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { retentionStart } from '~/base/retention-periods.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { insertHold } from '~/features/application/holds.server.ts';
import { linkEmail } from '~/features/application/change-email.server.ts';
import {
  applicationById,
  changeStatus,
  currentDocument,
} from '~/features/application/store.server.ts';
import { addNote } from '../application/notes.server.ts';
import { upload } from '../application/uploads.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { caseById } from './case-store.server.ts';
import { deleteErasedApplications, deletionByCase, erasureMoment } from './deletions.server.ts';
import { erasedApplication } from './tables.server.ts';
import { planErasure } from './erase.server.ts';
import { findPerson } from './find-person.server.ts';
import { personIds } from './read-person.server.ts';
import { goodPdf, storeStaff } from '../application/testing/case-store.server.ts';
import { emailById, insertEmail, storeContent } from '~/features/email/ledger/store.server.ts';
import { insertPhoto } from '~/features/insurance/store/photo-store.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { receiptsByOrder } from '~/features/order/receipt/issue-receipt.server.ts';
import { raiseAlert } from '~/features/payment/settlement/store.server.ts';
import { paymentAlert } from '~/features/payment/tables.server.ts';
import { auditViews } from '~/features/staff/audit.server.ts';
import { accountById, auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { fileJobs } from '~/platform/files/files.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { closeCase, eraseForCase, openCase, recordIdentity } from './cases.server.ts';
import { exportCase } from './export.server.ts';
import { currentChoices, requestView } from './requests-view.server.ts';
import { needed } from '../../../../test/needed.ts';
import {
  makePayment,
  makeOrder,
  seedSales,
  makeApplication,
  makeInsurance,
} from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, sealer } = platform;
await seedAll(db, seeders, platform.now());
await seedSales(platform);
const staff = await storeStaff(platform, { role: 'administrator' });

let counter = 0;
beforeEach(() => void (counter += 1));
const address = () => `person${counter}@example.org`;

async function open(kind: 'access' | 'erasure', given = {}) {
  const opened = await openCase(platform, staff, {
    kind,
    arrivedOn: parseDate('2026-11-20'),
    language: 'en',
    given: { number: '', email: address(), passport: '', ...given },
  });
  if (!opened.ok) throw new Error(opened.error.join());
  return opened.value;
}

const found = async (id: string) => needed(await caseById(db, sealer, id));

/** Checks the identity and chooses everything that is found. */
async function identify(id: string) {
  const {
    applications,
    orders,
    drafts,
    cases,
    staff: accounts,
  } = await findPerson(platform, (await found(id)).given);
  const ids = (rows: { id: string }[]) => rows.map((row) => row.id);
  const own = {
    applicationIds: ids(applications),
    orderIds: ids(orders),
    draftIds: ids(drafts),
    caseIds: ids(cases).filter((one) => one !== id),
    staffIds: ids(accounts),
  };
  expect(await recordIdentity(platform, staff, id, { check: 'email_reply', own })).toMatchObject({
    ok: true,
  });
  return own;
}

/** An approved visa with its PDF, a note and an email. */
async function placeVisa() {
  const application = await makeApplication(platform, { email: address(), lastName: 'Erasable' });
  const uploaded = await upload(platform, staff, goodPdf(randomUUID()));
  if (!uploaded.ok) throw new Error(uploaded.error);
  const note = { id: randomUUID(), applicationId: application.id, typed: 'Called the hotel twice' };
  await addNote(platform, staff, note);
  await decideApplication(platform, staff, {
    kind: 'approve',
    applicationId: application.id,
    fileId: uploaded.value.id,
  });
  const { id: emailId } = await insertEmail(db, {
    kind: 'received',
    about: application.id,
    createdAt: platform.now(),
  });
  await linkEmail(db, emailId, [application.id]);
  await storeContent(db, sealer, emailId, emailTo(address()));
  const file = needed(await currentDocument(db, application.id)).fileId;
  return { application, emailId, file };
}

const emailTo = (to: string) => ({
  to,
  subject: 'Your application',
  body: {
    language: 'en' as const,
    subject: 'Your application',
    preview: '',
    heading: 'Dear Erasable',
    greeting: '',
    paragraphs: [],
    numbers: null,
    button: { label: 'x', href: '#' },
    note: null,
    sections: [],
    closing: [],
    footer: {
      privateService: '',
      operator: '',
      official: { label: 'x', href: 'https://lale.example/' },
      privacy: { text: '', label: 'x', href: 'https://lale.example/' },
    },
  },
});

describe('finding a person', () => {
  test('by number, address or passport', async () => {
    const { application } = await placeVisa();
    const by = async (given: object) =>
      (
        await findPerson(platform, { number: '', email: '', passport: '', ...given })
      ).applications.map(({ id }) => id);
    expect(await by({ number: application.number })).toEqual([application.id]);
    expect(await by({ email: address().toUpperCase() })).toEqual([application.id]);
    expect(await by({ passport: 'a 0123 4547' })).toContain(application.id);
    expect(await by({})).toEqual([]);
  });
});

describe('an export', () => {
  test('is refused before the identity check', async () => {
    const id = await open('access');
    expect(await exportCase(platform, staff, id)).toEqual({ ok: false, error: 'identity_first' });
  });

  test('has everything: answers opened, notes, emails, order, files, and what it is for', async () => {
    const { application, file } = await placeVisa();
    const id = await open('access');
    await identify(id);
    const made = await exportCase(platform, staff, id);
    if (!made.ok) throw new Error(made.error);
    const files = unzipSync(made.value);
    expect(Object.keys(files).toSorted()).toEqual(['data.json', `files/${file}.pdf`]);
    const json: unknown = JSON.parse(strFromU8(needed(files['data.json'])));
    expect(json).toMatchObject({
      privacyPage: expect.stringMatching(/\/en\/privacy$/),
      purposes: { application: 'to check and carry out what was applied for' },
      tables: {
        application: [{ number: application.number, lastName: 'Erasable' }],
        visa_application: [{ passportNumber: 'A01234547', motherName: 'Nomsa Naidoo' }],
        desk_note: [{ text: 'Called the hotel twice' }],
        email: expect.arrayContaining([expect.objectContaining({ kind: 'received' })]),
        purchase_order: [{ customerEmail: address() }],
        order_receipt: [expect.objectContaining({ kind: 'receipt' })],
      },
    });
    const text = strFromU8(needed(files['data.json']));
    expect(text).toContain('Dear Erasable');
    expect(text).not.toContain(staff.id);
    expect(text).not.toMatch(/passportHash|sessionHash/);
    expect(await auditEntriesBySubject(db, { kind: 'request', id })).toContainEqual(
      expect.objectContaining({ action: 'data_exported' }),
    );
  });

  test('does not show what was sent to somebody else about the person', async () => {
    const { application } = await placeVisa();
    const { id: other } = await insertEmail(db, {
      kind: 'rejected',
      about: application.id,
      createdAt: platform.now(),
    });
    await linkEmail(db, other, [application.id]);
    await storeContent(db, sealer, other, {
      ...emailTo('payer@example.org'),
      subject: 'About Fellow Traveller',
    });
    const id = await open('access');
    await identify(id);
    const made = await exportCase(platform, staff, id);
    if (!made.ok) throw new Error(made.error);
    const text = strFromU8(needed(unzipSync(made.value)['data.json']));
    expect(text).toContain('sent to another person');
    expect(text).not.toMatch(/payer@example.org|Fellow Traveller/);
  });
});

describe('an export of what is not an application', () => {
  const jsonOf = async (id: string) => {
    const made = await exportCase(platform, staff, id);
    if (!made.ok) throw new Error(made.error);
    const files = unzipSync(made.value);
    return {
      tables: z
        .object({ tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))) })
        .parse(JSON.parse(strFromU8(needed(files['data.json'])))).tables,
      text: strFromU8(needed(files['data.json'])),
    };
  };

  test('has the request itself, and earlier ones', async () => {
    await placeVisa();
    const earlier = await open('access');
    await closeCase(platform, staff, earlier, {
      outcome: 'refused',
      answer: 'We could not tell who you are',
    });
    const id = await open('access');
    await identify(id);
    const { tables } = await jsonOf(id);
    expect(tables.privacy_case).toHaveLength(2);
    expect(JSON.stringify(tables.privacy_case)).toContain('We could not tell who you are');
    expect(JSON.stringify(tables.privacy_case)).not.toContain('chosen');
  });

  test('has when and why staff looked at the data, and not who', async () => {
    const { application } = await placeVisa();
    await auditViews(db, staff, [application.id], platform.now());
    const id = await open('access');
    await identify(id);
    const { tables, text } = await jsonOf(id);
    expect(tables.audit_entry).toContainEqual({
      at: platform.now().toISOString(),
      action: 'application_viewed',
      subjectKind: 'application',
    });
    expect(text).not.toContain(staff.id);
    expect(text).not.toContain(staff.name);
  });

  test('has the account of somebody who works here, without secrets', async () => {
    const colleague = await storeStaff(platform);
    const { email } = needed(await accountById(db, colleague.id));
    const id = await open('access', { email });
    await identify(id);
    const { tables, text } = await jsonOf(id);
    expect(tables.staff_account).toEqual([expect.objectContaining({ email, role: 'reviewer' })]);
    expect(tables.staff_session).toHaveLength(1);
    expect(text).not.toMatch(/passwordHash|totpSecret|tokenHash/);
  });

  test('does not offer an account for an erasure', async () => {
    const { email } = needed(await accountById(db, (await storeStaff(platform)).id));
    const offered = async (kind: 'access' | 'erasure') =>
      (await currentChoices(platform, await found(await open(kind, { email })), 'en')).filter(
        ({ value }) => value.startsWith('staff:'),
      ).length;
    expect([await offered('access'), await offered('erasure')]).toEqual([1, 0]);
  });
});

describe('an export for one of several travellers', () => {
  /** Two who travel together; the second is asked about, and does not pay. */
  const placeTwo = async () => {
    const payer = { firstName: 'Payer', email: `payer${counter}@example.org` };
    const fellow = { firstName: 'Fellow', email: address() };
    const { order, visas } = await makeOrder(platform, {
      travellers: [payer, fellow],
      headers: {
        'Idempotency-Key': randomUUID(),
      },
    });
    await makePayment(platform, order);
    return { order, payer: needed(visas[0]), fellow: needed(visas[1]) };
  };

  const exported = async (id: string) => {
    const made = await exportCase(platform, staff, id);
    if (!made.ok) throw new Error(made.error);
    const files = unzipSync(made.value);
    return strFromU8(needed(files['data.json']));
  };

  test('tells neither the order’s number, which opens it with everyone, nor the other traveller', async () => {
    const { order, payer, fellow } = await placeTwo();
    const id = await open('access');
    await identify(id);
    const json = await exported(id);
    expect(json).toContain(fellow.number);
    expect(json).not.toMatch(new RegExp(`${order.number}|${payer.number}|payer${counter}@`));
  });

  test('tells the payer the order’s number', async () => {
    const { order } = await placeTwo();
    const id = await open('access', { email: `payer${counter}@example.org` });
    await identify(id);
    expect(await exported(id)).toContain(order.number);
  });
});

describe('an erasure', () => {
  const erase = (id: string) =>
    eraseForCase(platform, staff, id, { isConfirmed: true, areTripsConfirmed: true });

  test('takes a visa with answers, note, emails and file, and keeps the books without the address', async () => {
    const { application, emailId, file } = await placeVisa();
    const id = await open('erasure');
    const own = await identify(id);
    const plan = await planErasure(platform, own);
    expect(plan).toMatchObject({
      blockers: [],
      goes: { deleted: { application: 1, visa_application: 1, desk_note: 1 }, files: 1 },
      stays: { purchase_order: 1, order_receipt: 1 },
    });
    expect(await applicationById(db, application.id)).not.toBeNull();

    expect(await erase(id)).toEqual({ ok: true, value: true });
    expect(await applicationById(db, application.id)).toBeNull();
    expect(await readVisaDetails(db, sealer, application.id)).toBeNull();
    expect((await emailById(db, sealer, emailId))?.content).toBeNull();
    const order = needed(await orderByNumber(db, application.orderNumber));
    expect(order).toMatchObject({ customerEmail: 'erased@erased.invalid', sessionHash: null });
    expect(await receiptsByOrder(db, order.id)).toHaveLength(1);

    const before = await requestView(platform, await found(id), 'en');
    expect(before.check).toEqual({ rows: 0, found: 0, files: 1 });
    await platform.runJobs(fileJobs(platform));
    expect(await platform.files.read(file)).toBeUndefined();
    const after = await requestView(platform, await found(id), 'en');
    expect(after.check).toEqual({ rows: 0, found: 0, files: 0 });
    const proof = needed(await deletionByCase(db, id));
    expect(proof.deleted).toEqual(plan.goes.deleted);
    expect(JSON.stringify(proof)).not.toMatch(/Erasable|example\.org/);
    expect(await erase(id)).toEqual({ ok: false, error: 'erased' });
  });

  test('leaves a hash of the number and the day, which a look at the plan does not, for three years', async () => {
    const { application } = await placeVisa();
    const { application: other } = await placeVisa();
    const id = await open('erasure', { number: application.number, email: '' });
    const own = await identify(id);
    const erasedAt = (number: string) => erasureMoment(db, sealer, number);
    await planErasure(platform, own);
    expect(await erasedAt(application.number)).toBeNull();
    expect(await erase(id)).toEqual({ ok: true, value: true });
    expect(await erasedAt(` ${application.number.toLowerCase()}`)).toEqual(
      needed(await caseById(db, sealer, id)).erasedAt,
    );
    expect(await erasedAt(other.number)).toBeNull();
    expect(JSON.stringify(await db.select().from(erasedApplication))).not.toContain(
      application.number,
    );
    await deleteErasedApplications(db, retentionStart('privacyCase', platform.now()));
    expect(await erasedAt(application.number)).not.toBeNull();
    const later = new Date(platform.now().getTime() + 4 * 366 * 86_400_000);
    await deleteErasedApplications(db, retentionStart('privacyCase', later));
    expect(await erasedAt(application.number)).toBeNull();
  });

  test('of somebody whose trip is still to come has to be confirmed for that', async () => {
    const { application } = await placeVisa();
    const id = await open('erasure');
    const { number, startsOn } = application;
    expect((await planErasure(platform, await identify(id))).trips).toEqual([{ number, startsOn }]);
    const trip = formatDate(needed(parseDate(startsOn)), 'en');
    expect((await requestView(platform, await found(id), 'en')).plan?.trips[0]?.date).toBe(trip);
    const confirmed = { isConfirmed: true, areTripsConfirmed: false };
    expect(await eraseForCase(platform, staff, id, confirmed)).toEqual({
      ok: false,
      error: 'trip_confirm_required',
    });
    expect(await applicationById(db, application.id)).not.toBeNull();
    expect(await erase(id)).toMatchObject({ ok: true });
  });

  test('keeps an insurance that was concluded, without photos and notes', async () => {
    const { id: insuranceId } = await makeInsurance(platform, { dateOfBirth: '2012-02-29' });
    const insurance = needed(await applicationById(db, insuranceId));
    const file = await platform.files.put(Buffer.from('photo'), { mediaType: 'image/jpeg' });
    const photo = { id: randomUUID(), name: 'a.jpg', contentHash: Buffer.from(file.id) };
    await insertPhoto(
      db,
      sealer,
      { applicationId: insurance.id },
      { ...photo, fileId: file.id, size: file.size },
      platform.now(),
    );
    await db.transaction((tx) =>
      changeStatus(tx, {
        id: insurance.id,
        from: 'pending',
        to: 'approved',
        at: platform.now(),
        staffId: null,
      }),
    );
    const id = await open('erasure', { number: insurance.number, email: '' });
    const own = await identify(id);
    expect((await planErasure(platform, own)).keptInsurances).toBe(1);
    expect(await erase(id)).toMatchObject({ ok: true });
    await platform.runJobs(fileJobs(platform));
    expect(await readInsuranceDetails(db, sealer, insurance.id)).not.toBeNull();
    expect(await platform.files.read(file.id)).toBeUndefined();
    expect((await requestView(platform, await found(id), 'en')).check).toEqual({
      rows: 0,
      found: 0,
      files: 0,
    });
  });

  test('waits for a decision', async () => {
    const application = await makeApplication(platform, { email: address() });
    const id = await open('erasure');
    const own = await identify(id);
    expect((await planErasure(platform, own)).blockers).toEqual([
      { code: 'under_way', number: application.number },
    ]);
    expect(await erase(id)).toEqual({ ok: false, error: 'blocked' });
    expect(await applicationById(db, application.id)).not.toBeNull();
  });

  test('waits for a payment that is disputed, until staff have resolved it', async () => {
    const { application } = await placeVisa();
    const id = await open('erasure');
    const own = await identify(id);
    const { attemptIds } = await personIds(db, own);
    const alertId = randomUUID();
    await db.transaction((tx) =>
      raiseAlert(tx, {
        id: alertId,
        kind: 'disputed',
        attemptId: needed(attemptIds[0]),
        detail: {},
        raisedAt: platform.now(),
      }),
    );
    expect((await planErasure(platform, own)).blockers).toEqual([
      { code: 'disputed', number: application.orderNumber },
    ]);
    expect(await erase(id)).toEqual({ ok: false, error: 'blocked' });
    await db
      .update(paymentAlert)
      .set({ resolvedAt: platform.now(), resolvedBy: staff.id, resolution: 'Lost' })
      .where(eq(paymentAlert.id, alertId));
    expect(await erase(id)).toMatchObject({ ok: true });
  });

  test.each(['application', 'order'] as const)('waits for a hold on the %s', async (on) => {
    const { application } = await placeVisa();
    await db.transaction((tx) =>
      insertHold(tx, sealer, {
        id: randomUUID(),
        orderNumber: application.orderNumber,
        applicationId: on === 'application' ? application.id : null,
        why: 'A claim',
        placedBy: staff.id,
        placedAt: platform.now(),
        until: new Date('2027-01-01'),
      }),
    );
    const id = await open('erasure');
    const own = await identify(id);
    expect((await planErasure(platform, own)).blockers).toEqual([
      { code: 'held', number: on === 'application' ? application.number : application.orderNumber },
    ]);
    expect(await erase(id)).toEqual({ ok: false, error: 'blocked' });
  });

  test('needs an identity check, something chosen, and a confirmation', async () => {
    const id = await open('erasure');
    expect(await erase(id)).toEqual({ ok: false, error: 'identity_first' });
    await identify(id);
    expect(await erase(id)).toEqual({ ok: false, error: 'nothing_chosen' });
    await placeVisa();
    await identify(id);
    expect(
      await eraseForCase(platform, staff, id, { isConfirmed: false, areTripsConfirmed: true }),
    ).toEqual({
      ok: false,
      error: 'confirm_required',
    });
  });
});

describe('a request', () => {
  test('is carried out only after the identity check, and closed with an answer once', async () => {
    const id = await open('access');
    const close = (outcome: string, answer: string) =>
      closeCase(platform, staff, id, { outcome, answer });
    expect(await close('granted', 'Here you are')).toEqual({ ok: false, error: 'identity_first' });
    expect(await close('refused', ' ')).toEqual({ ok: false, error: 'answer_required' });
    expect(await close('refused', 'We could not tell who you are')).toMatchObject({ ok: true });
    expect(await close('refused', 'Again')).toEqual({ ok: false, error: 'closed' });
    expect(await found(id)).toMatchObject({
      outcome: 'refused',
      answer: 'We could not tell who you are',
    });
  });

  test('for an erasure of nothing can be granted', async () => {
    const id = await open('erasure');
    await identify(id);
    const closed = { outcome: 'granted', answer: 'We hold nothing' };
    expect(await closeCase(platform, staff, id, closed)).toMatchObject({ ok: true });
  });

  test('that two people close at once is closed once', async () => {
    const id = await open('access');
    const close = () => closeCase(platform, staff, id, { outcome: 'refused', answer: 'No' });
    const outcomes = await Promise.all([close(), close()]);
    expect(outcomes.toSorted((a, b) => Number(b.ok) - Number(a.ok))).toEqual([
      { ok: true, value: true },
      { ok: false, error: 'closed' },
    ]);
  });

  test('has to say by what the person is found, and when it arrived', async () => {
    const typed = {
      kind: 'access',
      arrivedOn: parseDate('2026-11-20'),
      language: 'en',
      given: { number: '', email: ' ', passport: '' },
    };
    const given = { number: '', email: 'a@example.org', passport: '' };
    const opened = (over: object) => openCase(platform, staff, { ...typed, ...over });
    expect(await opened({})).toMatchObject({ error: ['given_required'] });
    expect(await opened({ given, arrivedOn: parseDate('2026-11-24') })).toMatchObject({
      error: ['arrived_on_invalid'],
    });
    expect(await opened({ given: { ...given, number: 'TRV1' } })).toMatchObject({
      error: ['number_invalid'],
    });
    const nothing = { kind: '', arrivedOn: null, language: '' };
    expect(await opened(nothing)).toMatchObject({
      error: ['kind_required', 'arrived_on_invalid', 'language_required', 'given_required'],
    });
  });
});
