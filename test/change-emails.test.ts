import { describe, expect, test } from 'vitest';
import { directionOf, languageCodes } from '../src/base/languages.ts';
import { reportLate } from '../src/features/status/report-late-store.server.ts';
import { applyCorrection } from '../src/features/application/reopened.server.ts';
import { remindOfCorrections } from '../src/features/application/correction/correction-reminders.server.ts';
import { correctionsOf } from '../src/features/application/correction/correction-store.server.ts';
import { recipientOf } from '../src/features/application/recipient.ts';
import { applicationById, type Application } from '../src/features/application/store.server.ts';
import {
  askCorrection,
  withdrawCorrection,
} from '../src/features/desk/application/ask-correction.server.ts';
import { decide } from '../src/features/desk/application/decide.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { emailHtml } from '../src/features/email/layout/email-html.tsx';
import { emailText } from '../src/features/email/layout/content.server.ts';
import { orderByNumber } from '../src/features/order/store.server.ts';
import { withOperator } from '../src/features/settings/operator.server.ts';
import { makeTestPlatform } from './platform.ts';
import { cancelledTravellerEmail } from '../src/features/email/kinds/cancelled.server.ts';
import { correctionEndedEmail } from '../src/features/email/kinds/correction.server.ts';
import { wordsFor } from '../src/features/email/kinds/kind.server.ts';
import { emailJobs } from '../src/features/email/jobs.server.ts';
import { lateEmail } from '../src/features/email/kinds/late.server.ts';
import { makeApplication } from './make.ts';
import { needed } from './needed.ts';

const platform = await makeTestPlatform();
const { db, clock, sent } = platform;
const staff = await storeStaff(platform);
const jobs = emailJobs(platform);
const HOUR = 3600_000;

/** The emails of what has happened since the last call. */
async function written() {
  sent.length = 0;
  await platform.runJobs(jobs);
  return [...sent];
}

/** A paid application of which a correction was asked, and the traveller told. */
async function asked() {
  const { id } = await makeApplication(platform, {
    promisedAt: new Date(platform.now().getTime() + HOUR),
  });
  const wanted = { applicationId: id, fields: ['phone'], note: 'The number is too short' };
  expect((await askCorrection(platform, staff, wanted)).ok).toBe(true);
  await written();
  const [correction] = await correctionsOf(db, id);
  return { id, correction: needed(correction) };
}

/** An answer whose own rules do not matter here. */
const answer = (correction: Awaited<ReturnType<typeof asked>>['correction']) =>
  applyCorrection(
    platform,
    correction,
    {},
    {
      check: async () => ({
        problems: [],
        changes: [{ field: 'phone', before: '1', after: '2' }],
        store: async () => undefined,
      }),
    },
  );

describe('a correction', () => {
  test('that was answered is confirmed once, with the moved promise', async () => {
    const { id, correction } = await asked();
    clock.advance(24 * HOUR);
    expect(await answer(correction)).toEqual({ kind: 'done' });
    const [email, ...others] = await written();
    expect(others).toEqual([]);
    expect(email?.subject).toMatch(/^We’ve received the corrections: TRV /);
    const words = wordsFor(await withOperator(platform), 'en');
    const promisedAt = needed((await applicationById(db, id))?.promisedAt);
    expect(email?.text).toContain(words.moment(promisedAt));
  });

  test('that staff withdraw is no longer waited for', async () => {
    const { id } = await asked();
    expect((await withdrawCorrection(platform, staff, id)).ok).toBe(true);
    expect((await written()).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^No corrections are needed any more: /),
    ]);
  });

  test('that nobody answered in time is said to be over', async () => {
    const { id } = await asked();
    clock.advance(29 * 24 * HOUR);
    await remindOfCorrections(platform);
    expect((await applicationById(db, id))?.pausedAt).toBeNull();
    const subjects = (await written()).map(({ subject }) => subject);
    expect(subjects).toContainEqual(
      expect.stringMatching(/^We’re continuing without the corrections: /),
    );
  });

  test('that a decision ended is not written about: the decision is', async () => {
    const { id, correction } = await asked();
    await answer(correction);
    await decide(platform, staff, { kind: 'reject', applicationId: id, reason: 'Unreadable' });
    expect((await written()).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^About your application/),
    ]);
  });
});

describe('a missed promise', () => {
  const due = (ms: number) => new Date(platform.now().getTime() + ms);

  test('is told once, to the payer with the way to the refund', async () => {
    await makeApplication(platform, { email: 'late@example.org', promisedAt: due(HOUR) });
    await written();
    await reportLate(platform);
    expect(await written()).toEqual([]);
    clock.advance(HOUR + 1);
    await reportLate(platform);
    await reportLate(platform);
    const [email, ...others] = (await written()).filter(({ to }) => to === 'late@example.org');
    expect(others).toEqual([]);
    expect(email?.subject).toMatch(/^We missed the ready-by time: TRV /);
    expect(email?.text).toContain('select “Get the processing price refunded”');
    expect(email?.text).toContain('/en/my-order/');
    await reportLate(platform);
    expect(await written()).toEqual([]);
  });

  test('is not told of what is decided, unpaid, paused or was due long ago', async () => {
    const decided = await makeApplication(platform, { promisedAt: due(HOUR) });
    await decide(platform, staff, { kind: 'approve', applicationId: decided.id });
    await makeApplication(platform, { paid: false });
    const { id } = await makeApplication(platform, { promisedAt: due(HOUR) });
    const wanted = { applicationId: id, fields: ['phone'], note: 'The number is too short' };
    await askCorrection(platform, staff, wanted);
    await makeApplication(platform, { promisedAt: due(-30 * HOUR) });
    await written();
    clock.advance(2 * HOUR);
    await reportLate(platform);
    expect(await written()).toEqual([]);
  });

  test('that was decided before the email left is not told', async () => {
    const { id } = await makeApplication(platform, { promisedAt: due(-1) });
    await written();
    await reportLate(platform);
    await decide(platform, staff, { kind: 'approve', applicationId: id });
    expect((await written()).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/approved/),
    ]);
  });
});

describe.each(languageCodes)('in %s', (code) => {
  const drawn = async (
    write: (
      words: ReturnType<typeof wordsFor>,
      about: Parameters<typeof cancelledTravellerEmail>[1],
    ) => ReturnType<typeof lateEmail>,
    given: Partial<Application> = {},
  ) => {
    const stored = needed(await applicationById(db, (await makeApplication(platform)).id));
    const order = needed(await orderByNumber(db, stored.orderNumber));
    const application = { ...stored, ...given };
    const words = wordsFor(await withOperator(platform), code);
    const content = write(words, { application, recipient: recipientOf(application, order) });
    expect(emailHtml(content, '')).toContain(`dir="${directionOf(code)}"`);
    const text = `${content.subject} ${content.preview} ${emailText(content)}`;
    expect(text).not.toMatch(/\b(correctionEnded|late|cancelledTraveller)\.\w|\{\{/);
    return text;
  };

  test.each(['answered', 'withdrawn', 'expired'] as const)(
    'a correction that was %s',
    async (end) => {
      await drawn((words, about) =>
        correctionEndedEmail(words, { ...about, end, now: new Date(0) }),
      );
    },
  );

  test.each(['visa', 'insurance'] as const)(
    'a missed promise and a cancellation: %s',
    async (kind) => {
      const promisedAt = platform.now();
      for (const payerLink of ['https://lale.example/my-order/x', null]) {
        const text = await drawn(
          (words, about) => lateEmail(words, { ...about, promisedAt, payerLink }),
          { kind },
        );
        expect(text.includes('/my-order/')).toBe(payerLink !== null);
      }
      await drawn(cancelledTravellerEmail, { kind });
    },
  );
});
