import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSessions } from '../../src/features/staff/store.server.ts';
import { addNote } from '../../src/features/desk/application/notes.server.ts';
import { messagesByApplication } from '../../src/features/application/messages/messages.server.ts';
import { receiveEmail } from '../../src/features/desk/messages/receive.server.ts';
import { makeReplyAddress } from '../../src/features/application/reply-address.server.ts';
import { linkEmail } from '../../src/features/application/change-email.server.ts';
import { currentDocument } from '../../src/features/application/store.server.ts';
import { insertEmail, storeContent } from '../../src/features/email/ledger/store.server.ts';
import { decideApplication } from '../../src/features/desk/application/decide.server.ts';
import { draftDecision } from '../../src/features/desk/application/draft.server.ts';
import { parseDate } from '../../src/base/dates/dates.ts';
import { openCase, recordIdentity } from '../../src/features/desk/privacy/cases.server.ts';
import { refundOrder } from '../../src/features/desk/money/refunds.server.ts';
import {
  goodPdf,
  storeStaff,
} from '../../src/features/desk/application/testing/case-store.server.ts';
import { upload } from '../../src/features/desk/application/uploads.server.ts';
import { addPdf } from '../../src/features/desk/several/waiting-pdfs.server.ts';
import { insertPhoto } from '../../src/features/insurance/store/photo-store.server.ts';
import { receiptsByOrder } from '../../src/features/order/receipt/issue-receipt.server.ts';
import { orderByNumber } from '../../src/features/order/store.server.ts';
import { raiseAlert } from '../../src/features/payment/settlement/store.server.ts';
import { makeApplication, makeInsurance, uploadPdf } from '../make.ts';
import { needed } from '../needed.ts';
import type { TestPlatform } from '../platform.ts';

/** One of every object of the desk, and the texts in it that nobody else may read. */
export async function storeObjects(platform: TestPlatform) {
  const { db, files, sealer, config } = platform;
  const clerk = await storeStaff(platform, { name: 'Clerk Canary' });
  const facts = { lastName: 'Canarysson', email: 'canary@example.org' };
  const approved = await makeApplication(platform, facts);
  const uploadedId = await uploadPdf(platform, clerk);
  await decideApplication(platform, clerk, {
    kind: 'approve',
    applicationId: approved.id,
    fileId: uploadedId,
  });
  const document = await currentDocument(db, approved.id);
  const paid = await makeApplication(platform, facts);
  const unpaid = await makeApplication(platform, { ...facts, paid: false });
  const insurance = await makeApplication(platform, {
    ...facts,
    kind: 'insurance',
    service: '30-days',
  });
  const minor = await makeInsurance(platform, {
    dateOfBirth: '2012-02-29',
    firstName: 'Canaryson',
  });
  const loose = await upload(platform, clerk, goodPdf('loose'));
  if (!loose.ok) throw new Error(loose.error);

  const planned = await draftDecision(platform, clerk, paid, {
    kind: 'reject',
    reason: 'Canary words',
  });
  if (!planned.ok) throw new Error(planned.error.code);

  const photo = { id: randomUUID(), name: 'canary.jpg', contentHash: Buffer.from('hash') };
  const file = await files.put(Buffer.from('canary photo'), { mediaType: 'image/jpeg' });
  const named = { ...photo, fileId: file.id, size: file.size };
  await insertPhoto(db, sealer, { applicationId: minor.id }, named, platform.now());

  const mailbox = 'inbox@lale.example';
  const incoming = [
    'From: canary@example.org',
    `To: ${makeReplyAddress(sealer, mailbox, paid.id)}`,
    'Content-Type: application/pdf',
    'Content-Disposition: attachment',
    '',
    goodPdf('Canarysson').toString('latin1'),
  ].join('\r\n');
  await receiveEmail(platform, mailbox, Buffer.from(incoming, 'latin1'));
  const [message] = await messagesByApplication(db, sealer, paid.id);

  const order = needed(await orderByNumber(db, approved.number));
  const [receipt] = await receiptsByOrder(db, order.id);
  const held = await refundOrder(platform, clerk, needed(await orderByNumber(db, paid.number)), {
    choice: { cause: 'our_error', askedAt: platform.now(), applications: [paid.number] },
    note: 'Canary note',
    amounts: new Map(),
  });
  if (!held.ok) throw new Error(JSON.stringify(held.error));
  const note = { id: randomUUID(), applicationId: paid.id, typed: 'Canary words' };
  const noted = await addNote(platform, clerk, note);
  if (!noted.ok) throw new Error(noted.error);
  const [session] = await openSessions(db, clerk.id, platform.now());
  await db.transaction((tx) =>
    raiseAlert(tx, {
      id: randomUUID(),
      kind: 'wrong_amount',
      attemptId: order.paidBy,
      detail: { amount: '93.00', currency: 'USD', transactionId: 'canary-tx' },
      raisedAt: platform.now(),
    }),
  );
  const about = { kind: 'approved', about: approved.id, createdAt: platform.now() } as const;
  const { id: emailId } = await insertEmail(db, about);
  await linkEmail(db, emailId, [approved.id]);
  const footer = { label: 'x', href: 'https://lale.example/' };
  await storeContent(db, sealer, emailId, {
    to: 'canary@example.org',
    subject: 'Canary e-mail',
    body: {
      language: 'en',
      subject: 'Canary e-mail',
      preview: '',
      heading: 'Canarysson',
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
        official: footer,
        privacy: { text: '', ...footer },
      },
    },
  });
  mkdirSync(join(config.dataDir, 'mail'), { recursive: true });
  writeFileSync(
    join(config.dataDir, 'mail', 'canary-mail.eml'),
    'From: a@lale.example\r\nTo: canary@example.org\r\nSubject: Canary\r\nDate: Mon, 23 Nov 2026 10:00:00 +0000\r\nContent-Type: text/html\r\n\r\n<p>Canarysson</p>',
  );
  // The first has the note and the held refund.
  const applications = [paid, approved, unpaid, insurance, minor];
  const request = await openCase(platform, clerk, {
    kind: 'access',
    arrivedOn: parseDate('2026-11-20'),
    language: 'en',
    given: { number: '', email: 'canary@example.org', passport: '' },
  });
  if (!request.ok) throw new Error(request.error.join());
  const own = {
    applicationIds: [approved.id],
    orderIds: [],
    draftIds: [],
    caseIds: [],
    staffIds: [],
  };
  await recordIdentity(platform, clerk, request.value, { check: 'email_reply', own });
  const waiting = await addPdf(
    platform,
    clerk,
    new File([new Uint8Array(goodPdf('waiting'))], 'Canarysson.pdf'),
  );
  if (!waiting.ok) throw new Error(waiting.error);
  const fields = {
    refund: held.value.refund.id,
    account: clerk.id,
    session: needed(session).id,
    role: 'administrator',
    about: note.id,
  };
  return {
    /** What a form has besides its intent to name somebody else's object, by field. */
    fields,
    /** Address pattern → the stored values of its parameters, separated by spaces. The first match counts. */
    at: {
      '/admin/applications/:number/decision/:id': [`${paid.number} ${planned.value}`],
      '/admin/applications/:number/copy': [paid.number],
      '/admin/applications/:number': applications.map(({ number }) => number),
      '/admin/orders/:number': applications.map(({ number }) => number),
      '/admin/accounts/:id': [clerk.id],
      '/admin/pdfs/:file': [waiting.value.id],
      '/admin/documents/:id': [needed(document).id],
      '/admin/receipts/:id': [needed(receipt).id],
      '/admin/photos/:id': [photo.id],
      '/admin/message-files/:id': [needed(message?.files[0]).id],
      '/admin/figures/:file/csv': ['steps'],
      '/admin/reconciliation/:day/csv': ['2026-11-22'],
      '/admin/privacy/:id/export': [request.value],
      '/admin/privacy/:id': [request.value],
      '/admin/settings/countries/:code': ['DZA'],
      '/admin/settings/templates/:template': ['rejection.duplicate'],
      '/admin/invitation/:token': ['x'.repeat(43)],
      '/admin/reset/:token': ['x'.repeat(32)],
      '/admin/emails/:id': [emailId],
      '/admin/outbox/:name': ['canary-mail'],
      '/api/admin/applications/:id': [paid.id, unpaid.number],
      '/api/admin/insurance-applications/:id': [insurance.id],
      '/api/admin/orders/:number': [paid.number],
      '/api/admin/refunds/:id': [held.value.refund.id],
    } satisfies Record<string, string[]>,
    secrets: [
      'Canarysson',
      'Canaryson',
      'canary@example.org',
      'canary photo',
      'canary-tx',
      'Canary note',
      'Canary words',
      'Canary e-mail',
      'Clerk Canary',
      '%PDF',
      ...applications.map(({ id }) => id),
    ],
  };
}
