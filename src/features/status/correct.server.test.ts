import { beforeAll, expect, it } from 'vitest';
import { addDays, parseDate } from '~/base/dates/dates.ts';
import { correctionAddress } from '~/features/application/reopened.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { askCorrection } from '~/features/desk/application/ask-correction.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { applicationCorrections, makeOrder, seedSales } from '../../../test/make.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { needed } from '../../../test/needed.ts';
import { correctable, type CorrectableVisaField } from '~/features/visa/correctable.ts';
import { questionByField, type AnswerType } from '~/features/visa/rules/questions.ts';
import { typedVisaAnswers } from '~/features/visa/rules/typed.ts';
import { storedAnswers } from '~/features/visa/store/answer-columns.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { completeAnswers, countries, NOW } from '~/features/visa/testing/sample-answers.ts';

const platform = await makeTestPlatform({ now: NOW });
const { db, sealer } = platform;
const app = makeTestApp(platform);
const staff = await storeStaff(platform);

/** Another valid answer of each kind: of a date, the day after. */
const others: Readonly<Partial<Record<AnswerType, (value: string) => string>>> = {
  date: nextDay,
  date_or_unlimited: nextDay,
  document_number: () => 'X7654321',
  name: () => 'Otherwise',
  phone: () => '+27115550199',
  place: () => 'Elsewhere',
  text: () => '34 Other Street, 8001 Cape Town',
};

function nextDay(value: string): string {
  return addDays(needed(parseDate(value)), 1);
}

function otherAnswer(field: CorrectableVisaField, value: string): string {
  const { answer } = questionByField(field);
  const other = others[answer];
  if (!other) throw new Error(`No other ${answer} for ${field}`);
  return other(value);
}

/** The sample of a traveller who is asked this question. */
function sampleAsking(field: CorrectableVisaField) {
  const samples = [countries.southAfrica, countries.india].map(completeAnswers);
  const asking = samples.find((answers) => answers[field]);
  if (!asking) throw new Error(`No sample answers ${field}`);
  return asking;
}

/** Asks for one field of a paid application and answers it on the page; `inColumn`: where the descriptor stores it. */
async function corrected(field: CorrectableVisaField, other: (value: string) => string) {
  const { visas } = await makeOrder(platform, { travellers: [sampleAsking(field)], paid: true });
  const { id } = needed(visas[0]);
  const read = async () => {
    const application = needed(await applicationById(db, id));
    const details = needed(await readVisaDetails(db, sealer, id));
    const [table, column] = needed(questionByField(field).stored);
    const columns: Record<string, unknown> = { ...(table === 'details' ? details : application) };
    return { answers: storedAnswers(application, details), inColumn: columns[column] };
  };
  const before = (await read()).answers;
  const value = other(before[field]);
  const asked = { applicationId: id, fields: [field], note: 'Please look at this again.' };
  expect(await askCorrection(platform, staff, asked)).toMatchObject({ ok: true });
  const correction = needed((await applicationCorrections(db, id))[0]);
  const address = correctionAddress(platform, correction, needed(visas[0]));
  const typed = typedVisaAnswers({ ...before, [field]: value }, [field]);
  const body = new URLSearchParams({ nameConfirmed: 'yes', ...typed });
  const response = await app.request(new URL(address).pathname, { method: 'POST', body });
  expect(response.status).toBe(200);
  const { answers: after, inColumn } = await read();
  return { before, value, after, inColumn };
}

beforeAll(() => seedSales(platform));

it.each(correctable)('%s, corrected, is stored, and no other answer changes', async (field) => {
  const { value, before, after, inColumn } = await corrected(field, (old) =>
    otherAnswer(field, old),
  );
  expect(value).not.toBe(before[field]);
  expect(inColumn).toBe(value);
  expect(after).toEqual({ ...before, [field]: value });
});

it.each(correctable.filter((field) => questionByField(field).asked === 'optional'))(
  '%s, cleared, is stored empty',
  async (field) => {
    const { inColumn } = await corrected(field, () => '');
    expect(inColumn).toBeNull();
  },
);
