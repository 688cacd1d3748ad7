import { expect, test } from 'vitest';
import { decide } from '~/features/desk/application/decide.server.ts';
import { askCorrection } from '~/features/desk/application/ask-correction.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { settingChange } from '~/features/settings/tables.server.ts';
import type { ApplicationEmailKind } from './ledger/tables.server.ts';
import { queueEmail, tellUnpaidNow } from './ledger/queue.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { emailJobs } from './jobs.server.ts';
import { previewDecision } from './preview.server.ts';
import { makeApplication } from '../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, sent } = platform;
const jobs = emailJobs(platform);
const staff = await storeStaff(platform);
const NOW = 'Harbour Travel Ltd';
const BEFORE = platform.config.operator.legalName;

const at = platform.now();
await db.insert(settingChange).values({
  section: 'operator',
  values: { legalName: NOW, supportEmail: 'help@harbour.example' },
  validFrom: at,
  reason: 'A new name',
  createdAt: at,
});

const queue = (kind: ApplicationEmailKind, about: string) =>
  db.transaction((tx) => queueEmail(tx, { kind, about, createdAt: at }));

const occasions: Record<string, () => Promise<unknown>> = {
  unpaid: async () => {
    const { orderNumber } = await makeApplication(platform, { paid: false });
    await db.transaction((tx) => tellUnpaidNow(tx, orderNumber, at));
  },
  received: async () => {
    const { orderNumber } = await makeApplication(platform);
    await queue('received', orderNumber);
  },
  paid_closed: async () => {
    const { orderNumber } = await makeApplication(platform);
    await queue('paid_closed', orderNumber);
  },
  approved: async () =>
    decide(platform, staff, {
      kind: 'approve',
      applicationId: (await makeApplication(platform)).id,
    }),
  rejected: async () => {
    const { id } = await makeApplication(platform);
    await decide(platform, staff, { kind: 'reject', applicationId: id, reason: 'The photo' });
  },
  correction: async () => {
    const { id } = await makeApplication(platform);
    const asked = { applicationId: id, fields: ['firstName'], note: 'As in the passport' };
    expect(await askCorrection(platform, staff, asked)).toMatchObject({ ok: true });
  },
};

test.each(Object.keys(occasions))(
  'the e-mail “%s” names who operates the service now',
  async (kind) => {
    await platform.runJobs(jobs);
    sent.length = 0;
    await occasions[kind]?.();
    await platform.runJobs(jobs);
    expect(sent.length).toBeGreaterThan(0);
    for (const { text, html } of sent) {
      expect(text).toContain(NOW);
      expect(html).toContain(NOW);
      expect(text + html).not.toContain(BEFORE);
    }
  },
);

test('so does what staff read before they send it', async () => {
  const { id } = await makeApplication(platform);
  const application = await applicationById(db, id);
  if (!application) throw new Error('No such application');
  const planned = { kind: 'reject', fileId: null, rejectionCode: 'other', words: 'x' } as const;
  const { html } = await previewDecision(platform, application, planned);
  expect(html).toContain(NOW);
  expect(html).not.toContain(BEFORE);
});
