import { sql, type SQL } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Application } from '~/features/application/store.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { personalTables } from '../privacy/personal-tables.server.ts';
import { storeStaff } from './testing/case-store.server.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const { cookie } = await storeStaff(platform, { role: 'administrator' });

/** The words of the queue and of the panel beside it, without what scripts read. */
async function shown({ number }: Application) {
  const response = await app.request(`/en/admin/applications/${number}?show=all`, {
    headers: { cookie },
  });
  const html = (await response.text()).replaceAll(/<script.*?<\/script>/gs, '');
  const wordsIn = (part: string) => part.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const row = new RegExp(`<tr[^>]*data-number="${number}".*?</tr>`, 's').exec(html)?.[0] ?? '';
  const panel = html.slice(html.indexOf('<aside'));
  expect(panel).toContain('application-name');
  return { row: wordsIn(row), panel: wordsIn(panel) };
}

const DECIDED = sql`decided_at = created_at`;

/** A change of one fact, and where staff see it: beside the other facts in the panel, or in the row of the queue too. */
type Fact = { set: SQL; seen: 'panel' | 'row' };

/**
 * Every column of an application: another one does not compile here before somebody has said where staff see it. Null:
 * it says nothing to staff, or nothing of its own.
 */
const facts: Record<keyof Application, Fact | null> = {
  id: null,
  kind: null,
  searchText: null,
  // Of the links in emails, the order and the language of what is read out of it.
  emailVersion: null,
  orderNumber: null,
  travellerPosition: null,
  currency: null,
  number: null,
  status: { set: sql`status = 'processing'`, seen: 'row' },
  actionRequired: { set: sql`action_required = true, paused_at = created_at`, seen: 'row' },
  pausedAt: { set: sql`paused_at = created_at`, seen: 'row' },
  language: { set: sql`language = 'tr'`, seen: 'panel' },
  firstName: { set: sql`first_name = 'Zola'`, seen: 'row' },
  lastName: { set: sql`last_name = 'Zungu'`, seen: 'row' },
  email: { set: sql`email = 'zola@other.example'`, seen: 'panel' },
  phone: { set: sql`phone = '+27 11 555 9999'`, seen: 'panel' },
  dateOfBirth: { set: sql`date_of_birth = '1971-01-02'`, seen: 'panel' },
  countryCode: { set: sql`country_code = 'MEX'`, seen: 'row' },
  travelDocument: { set: sql`travel_document = 'diplomatic'`, seen: 'panel' },
  startsOn: { set: sql`starts_on = starts_on + 1`, seen: 'panel' },
  service: { set: sql`service = 'express'`, seen: 'row' },
  amountMinor: { set: sql`amount_minor = amount_minor + 100`, seen: 'row' },
  // The history says when it was sent.
  createdAt: null,
  paidAt: null,
  promisedAt: { set: sql`promised_at = promised_at + interval '9 days'`, seen: 'row' },
  decidedAt: { set: sql`status = 'approved', ${DECIDED}`, seen: 'row' },
  undeliveredSince: {
    set: sql`status = 'approved', ${DECIDED}, undelivered_since = created_at`,
    seen: 'row',
  },
  authorityReference: {
    set: sql`status = 'processing', authority_reference = 'TR-2026/77'`,
    seen: 'row',
  },
  rejectionCode: {
    set: sql`status = 'rejected', ${DECIDED}, rejection_code = 'duplicate'`,
    seen: 'panel',
  },
  rejectionReason: {
    set: sql`status = 'rejected', ${DECIDED}, rejection_code = 'other', rejection_reason = 'Twice'`,
    seen: 'panel',
  },
};

describe('staff see', () => {
  test.each(Object.entries(facts).flatMap(([name, fact]) => (fact ? [{ name, ...fact }] : [])))(
    '$name of an application in the $seen',
    async ({ set, seen }) => {
      const promisedAt = new Date(platform.now().getTime() + 36 * 3600_000);
      const application = await makeApplication(platform, { promisedAt });
      const before = await shown(application);
      await platform.db.execute(sql`update application set ${set} where id = ${application.id}`);
      const after = await shown(application);
      expect(after.panel).not.toBe(before.panel);
      if (seen === 'row') expect(after.row).not.toBe(before.row);
      expect(after.row).not.toBe('');
    },
  );
});

/** Tables with facts about an application: where a page of it shows them, or what else they are for. */
const tables: Record<string, string> = {
  application_correction: 'panel: correction',
  application_document: 'panel: document',
  application_email: 'panel: emails',
  application_event: 'panel: history',
  audit_entry: 'panel: history',
  case_message: 'panel: messages, row: whether one is new',
  case_message_file: 'panel: messages',
  desk_claim: 'panel and row: who works on it',
  desk_dismissal: 'panel: possible duplicates',
  desk_email_correction: 'panel: email address',
  desk_note: 'panel: notes, row: their number',
  desk_put_off: 'panel and row: until when, by whom',
  insurance_application: 'panel: facts',
  insurance_photo: 'panel: facts',
  visa_application: 'panel: facts',
  desk_for_you: 'For you',
  desk_second_look: 'Second look',
  legal_hold: 'Privacy',
  application_earlier_passport: 'compared with other applications',
  desk_decision: 'to undo it',
  desk_draft: 'of one person, until it is sent',
  desk_look: 'of one person, for the next application',
  desk_upload: 'of one person, until it is decided',
};

test('of every table about an application it is said where staff see it', () => {
  const about = personalTables.filter(({ rows }) =>
    rows.some(({ ids }) => ids === 'applicationIds'),
  );
  const names = about.map(({ name }) => name).filter((name) => name !== 'application');
  expect(names.toSorted()).toEqual(Object.keys(tables).toSorted());
});
