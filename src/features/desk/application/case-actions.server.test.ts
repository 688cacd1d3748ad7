import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { applicationEmails } from '~/features/application/change-email.server.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { makeReplyAddress } from '~/features/application/reply-address.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { approve, makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { askCorrection } from './ask-correction.server.ts';
import {
  actionRules,
  AUTHORITY_REFERENCE,
  caseActionNames,
  CORRECTION_FIELDS,
  fieldName,
  MESSAGE,
  REASON_CODE,
  WHY,
  type CaseAction,
} from './case-actions.ts';
import { handleCaseForm } from './case-actions.server.ts';
import { claimApplication, claimHolder } from './claim.server.ts';
import { decideApplication } from './decide.server.ts';
import { openDraft, sendDraft } from './draft.server.ts';
import { receiveEmail } from '../messages/receive.server.ts';
import { addNote } from './notes.server.ts';
import { putOffFields } from './put-off.ts';
import { putOff } from './put-off.server.ts';
import { answerCorrection } from './testing/answer-correction.server.ts';
import { goodPdf, storeStaff } from './testing/case-store.server.ts';

const platform = await makeTestPlatform();
const { db, sealer } = platform;
const app = makeTestApp(platform);
const staff = await storeStaff(platform, { name: 'E. Aydın', role: 'administrator' });
const colleague = await storeStaff(platform, { name: 'S. Kaya' });

/** An application on which the action is possible, and what somebody types into its form. */
type Sample = { found: Application; form?: Record<string, string | File> };

const open = async (): Promise<Sample> => ({ found: await makeApplication(platform) });

async function asked(): Promise<Sample> {
  const { found } = await open();
  const fields = ['passportNumber'];
  await askCorrection(platform, staff, { applicationId: found.id, fields, note: 'Check.' });
  return { found };
}

async function noted(action: CaseAction): Promise<Sample> {
  const { found } = await open();
  const id = randomUUID();
  await addNote(platform, staff, { id, applicationId: found.id, typed: 'Called back' });
  return { found, form: { about: id, [fieldName(action, id)]: 'Called again' } };
}

const PUT_OFF = { [putOffFields.reason]: 'authority', [putOffFields.end]: 'week' };

/** One for each action: an action without one does not compile. */
const samples: Record<CaseAction, () => Promise<Sample>> = {
  claim: open,
  take: open,
  assign: async () => ({ ...(await open()), form: { colleague: colleague.id } }),
  put_off: async () => ({ ...(await open()), form: PUT_OFF }),
  resume: async () => {
    const { found } = await open();
    await putOff(platform, staff, { applicationId: found.id, typed: PUT_OFF });
    return { found };
  },
  reveal: open,
  start_processing: open,
  set_reference: async () => {
    const { found } = await open();
    const decision = { kind: 'start_processing', applicationId: found.id } as const;
    await decideApplication(platform, staff, decision);
    return { found, form: { [AUTHORITY_REFERENCE]: 'TR-2026/77' } };
  },
  approve: open,
  reject: async () => ({ ...(await open()), form: { [REASON_CODE]: 'duplicate' } }),
  attach: async () => {
    const { found } = await open();
    await approve(platform, found);
    return { found, form: { document: new File([new Uint8Array(goodPdf())], 'visa.pdf') } };
  },
  correction: async () => ({
    ...(await open()),
    form: { [`${CORRECTION_FIELDS}-passportNumber`]: 'on', note: 'Check.' },
  }),
  withdraw: asked,
  checked: async () => {
    const { found } = await asked();
    await answerCorrection(platform, found.id, { passportNumber: 'B76543210' });
    return { found };
  },
  note: async () => {
    const { found } = await open();
    const about = randomUUID();
    return { found, form: { about, [fieldName('note', about)]: 'Called back' } };
  },
  edit_note: () => noted('edit_note'),
  strike_note: () => noted('strike_note'),
  message: async () => ({ ...(await open()), form: { [MESSAGE]: 'Tomorrow.' } }),
  read_messages: async () => {
    const { found } = await open();
    const to = makeReplyAddress(sealer, 'inbox@lale.example', found.id);
    await receiveEmail(platform, 'inbox@lale.example', Buffer.from(`To: ${to}\n\nHello`));
    return { found };
  },
  resend_email: async () => {
    const { found } = await open();
    await decideApplication(platform, staff, { kind: 'approve', applicationId: found.id });
    await platform.runJobs(emailJobs(platform));
    const { id } = needed((await applicationEmails(db, sealer, found.id)).at(0));
    return { found, form: { about: id } };
  },
  correct_email: async () => {
    const { found } = await open();
    const about = randomUUID();
    const typed = { [fieldName('correct_email', about)]: 'thabo@right.example' };
    return { found, form: { about, ...typed, [WHY]: 'Called' } };
  },
  dismiss_duplicate: async () => {
    const passportNumber = `P${Math.trunc(Math.random() * 1e8)}`;
    const other = await makeApplication(platform, { passportNumber });
    const found = await makeApplication(platform, { passportNumber });
    return {
      found,
      form: { about: other.id, [fieldName('dismiss_duplicate', other.id)]: 'Twins' },
    };
  },
};

/** Sends the form of an action; where that prepares a decision, sends the decision as well. */
async function perform(action: CaseAction, { found, form = {} }: Sample) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...form, intent: action })) body.set(name, value);
  const application = needed(await applicationById(db, found.id));
  const sent = await handleCaseForm(platform, staff, application, body);
  if (!sent.ok || sent.value.draft === undefined) return sent;
  const draft = needed(await openDraft(platform, staff, { application, id: sent.value.draft }));
  return sendDraft(platform, staff, { draft, hasCompared: true, hasCheckedDuplicates: true });
}

const codeOf = (outcome: Awaited<ReturnType<typeof perform>>) =>
  outcome.ok ? 'done' : 'error' in outcome.error ? outcome.error.error.code : outcome.error.code;

const trail = async ({ id }: Application) =>
  (await auditEntriesBySubject(db, { kind: 'application', id })).map(({ action }) => action);

describe.each(caseActionNames)('%s', (action) => {
  const { audit, claim, key } = actionRules(action);

  test('has its key on the page where it is possible', async () => {
    const { found } = await samples[action]();
    if (action === 'take') await claimApplication(platform, colleague, found.id);
    const page = await app.request(`/en/admin/applications/${found.number}`, {
      headers: { cookie: staff.cookie },
    });
    // The choice of a file has one by its id.
    const place = action === 'attach' ? 'id="document"' : `aria-keyshortcuts="${key}"`;
    expect(await page.text()).toContain(place);
  });

  test('leaves the one entry in the audit trail that its rules name', async () => {
    const sample = await samples[action]();
    const before = await trail(sample.found);
    expect(codeOf(await perform(action, sample))).toBe('done');
    const entries = await trail(sample.found);
    for (const entry of before) entries.splice(entries.indexOf(entry), 1);
    expect(entries).toEqual(audit === null ? [] : [audit]);
  });

  test('heeds that somebody else works on the application, as its rules say', async () => {
    const sample = await samples[action]();
    await claimApplication(platform, colleague, sample.found.id, { takeOver: true });
    const before = await trail(sample.found);
    expect(codeOf(await perform(action, sample))).toBe(claim === 'ignored' ? 'done' : 'claimed');
    if (claim === 'ignored') return;
    expect(await trail(sample.found)).toEqual(before);
    const holder = await claimHolder(platform, staff, sample.found.id);
    expect(holder?.name).toBe(colleague.name);
  });
});
