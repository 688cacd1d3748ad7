import { describe, expect, test, vi } from 'vitest';
import { correctionAddress } from '~/features/application/reopened.server.ts';
import { openChanges } from '~/features/application/correction/correction-store.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { askCorrection } from './ask-correction.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { rereadDraft } from '~/features/form/draft/draft.server.ts';
import { photosByOwner } from '~/features/insurance/store/photo-store.server.ts';
import { storedFiles } from '~/platform/testing/stored-files.ts';
import { jpeg } from '~/features/insurance/testing/api-calls.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { applicationCorrections, makeInsurance } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, sealer } = platform;
const app = makeTestApp(platform);
const staff = await storeStaff(platform);

/** A paid insurance of 30 days for a child, with some fields reopened. */
async function asked(fields: string[], sample: Parameters<typeof makeInsurance>[1] = {}) {
  const placed = await makeInsurance(platform, {
    dateOfBirth: '2012-02-29',
    ...sample,
    paid: true,
  });
  const outcome = await askCorrection(platform, staff, {
    applicationId: placed.id,
    fields,
    note: 'Please look at this again.',
  });
  if (!outcome.ok) throw new Error(outcome.error.code);
  const [correction] = await applicationCorrections(db, placed.id);
  if (!correction) throw new Error('Nothing was asked');
  const path = new URL(correctionAddress(platform, correction, outcome.value)).pathname;
  const details = await readInsuranceDetails(db, sealer, placed.id);
  if (!details) throw new Error('The insurance is gone');
  return { id: placed.id, number: placed.number, path, details, before: outcome.value };
}

const send = async (path: string, values: Record<string, string>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  const response = await app.request(path, { method: 'POST', body });
  return { status: response.status, html: await response.text() };
};
const day = (field: string, date: string) => {
  const [year = '', month = '', of = ''] = date.split('-');
  return { [`${field}-day`]: of, [`${field}-month`]: month, [`${field}-year`]: year };
};
const plus = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

describe('a correction of an insurance', () => {
  test('reads a phone number by the country chosen beside it', async () => {
    const { id, path } = await asked(['phone']);
    const html = await (await app.request(path)).text();
    expect(html).toMatch(/<select[^>]*name="phoneCountry"/);
    const wrong = await send(path, { phone: '030', phoneCountry: 'DEU' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toMatch(/<option[^>]*value="DEU"[^>]*selected/);
    const { status } = await send(path, { phone: '030 901820', phoneCountry: 'DEU' });
    expect(status).toBe(200);
    expect(await applicationById(db, id)).toMatchObject({ phone: '+4930901820' });
  });

  test('shows the reopened fields alone and takes the answer without scripts', async () => {
    const { id, path } = await asked(['lastName', 'passportNumber']);
    const html = await (await app.request(path)).text();
    expect(html).toContain('name="passportNumber"');
    expect(html).not.toContain('name="travelDate-day"');
    const { status } = await send(path, {
      lastName: 'Novak',
      passportNumber: 'x 99 887',
      phone: '1',
    });
    expect(status).toBe(200);
    expect(await readInsuranceDetails(db, sealer, id)).toMatchObject({ passportNumber: 'X99887' });
    expect(await applicationById(db, id)).toMatchObject({
      lastName: 'Novak',
      actionRequired: false,
      pausedAt: null,
    });
    const [kept] = await applicationCorrections(db, id);
    const changed = kept ? openChanges(sealer, kept).map(({ field }) => field) : [];
    expect(changed).toEqual(['lastName', 'passportNumber']);
    // A reload shows the thank-you page again.
    expect((await send(path, {})).status).toBe(200);
  });

  test('keeps what was typed when the language is switched, and judges and stores nothing', async () => {
    const { id, path, details } = await asked(['lastName', 'passportNumber', 'travelDate']);
    const { status, html } = await send(path.replace('/en/', '/fr/'), {
      intent: 'language',
      lastName: 'Nov',
      passportNumber: '',
      'travelDate-day': '31',
    });
    expect(status).toBe(200);
    expect(html).toContain('lang="fr"');
    expect(html).toMatch(/<input[^>]*name="lastName"[^>]*value="Nov"/);
    expect(html).toMatch(/<input[^>]*name="travelDate-day"[^>]*value="31"/);
    expect(html).not.toContain('aria-invalid="true"');
    expect(await readInsuranceDetails(db, sealer, id)).toEqual(details);
    expect((await send(path, { intent: 'language' })).status).toBe(200);
  });

  test('moves the trip within the paid plan, and the cover with it', async () => {
    const { id, path, before, details } = await asked(['travelDate', 'returnDate']);
    const first = plus(before.startsOn, 3);
    const last = plus(first, details.planDays - 1);
    expect(
      (await send(path, { ...day('travelDate', first), ...day('returnDate', last) })).status,
    ).toBe(200);
    expect(await applicationById(db, id)).toMatchObject({ startsOn: first });
    expect(await readInsuranceDetails(db, sealer, id)).toMatchObject({
      returnDate: last,
      coverUntil: last,
      tripDays: details.planDays,
    });
  });

  test('to a trip that costs another plan is refused at its field, and says why', async () => {
    const { id, path, before, details } = await asked(['returnDate']);
    const { status, html } = await send(
      path,
      day('returnDate', plus(before.startsOn, details.planDays)),
    );
    expect(status).toBe(422);
    expect(html).toContain(`Your plan covers ${details.planDays} days`);
    expect(html).toContain('quoting your application number');
    expect(html).toContain('href="#returnDate"');
    expect(await readInsuranceDetails(db, sealer, id)).toEqual(details);
    expect(await applicationById(db, id)).toMatchObject({ actionRequired: true });
  });

  test.each(['lastName', 'firstName'])(
    'of a single name asked as %s changes both',
    async (name) => {
      const { id, path } = await asked([name], { firstName: 'Hernández Ruiz' });
      const html = await (await app.request(path)).text();
      expect(html).toMatch(/<input(?=[^>]*name="oneName")[^>]*checked/);
      const { status } = await send(path, { lastName: 'Suharto', firstName: '', oneName: 'yes' });
      expect(status).toBe(200);
      const corrected = await applicationById(db, id);
      expect(corrected).toMatchObject({ lastName: 'Suharto', firstName: 'Suharto' });
    },
  );

  test('of both names has the box for a single one', async () => {
    const { id, path } = await asked(['lastName', 'firstName']);
    const html = await (await app.request(path)).text();
    expect(html).toMatch(/<input(?=[^>]*name="oneName")(?![^>]*checked)[^>]*>/);
    await send(path, { lastName: 'Suharto', firstName: 'Sofía', oneName: 'yes' });
    const corrected = await applicationById(db, id);
    expect(corrected).toMatchObject({ lastName: 'Suharto', firstName: 'Suharto' });
  });

  test('needs the photos that it asks for, and takes pictures alone', async () => {
    const { path } = await asked(['parentIdPhotos']);
    expect((await send(path, {})).status).toBe(422);
    const body = new FormData();
    body.set('parentIdPhotos', new File(['<html>'], 'id.jpg', { type: 'image/jpeg' }));
    const response = await app.request(path, { method: 'POST', body });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('id.jpg');
    expect((await app.request(path)).status).toBe(200);
  });

  const withPhoto = async (lastName: string, name: string | null, intent = '') => {
    const body = new FormData();
    body.set('lastName', lastName);
    body.set('intent', intent);
    if (name !== null) {
      body.set('parentIdPhotos', new File([new Uint8Array(await jpeg())], name));
    }
    return body;
  };
  const post = async (path: string, body: FormData) => {
    const response = await app.request(path, { method: 'POST', body });
    return { status: response.status, html: await response.text() };
  };

  test('keeps a photo where another answer is wrong, and needs it no second time', async () => {
    const { id, path } = await asked(['parentIdPhotos', 'lastName']);
    const files = storedFiles(platform.config.dataDir);
    const refused = await post(path, await withPhoto('', 'mother.jpg'));
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('Uploaded so far');
    expect(refused.html).toContain('mother.jpg');
    expect(refused.html).not.toContain('href="#parentIdPhotos"');
    expect(await photosByOwner(db, sealer, { applicationId: id })).toEqual([]);
    expect((await post(path, await withPhoto('Novak', null))).status).toBe(200);
    const kept = await photosByOwner(db, sealer, { applicationId: id });
    expect(kept.map(({ name }) => name)).toEqual(['mother.jpg']);
    expect(storedFiles(platform.config.dataDir).filter((file) => !files.includes(file))).toEqual(
      kept.map(({ fileId }) => fileId),
    );
  });

  test('takes a photo back that has arrived, and keeps what was typed', async () => {
    const { path } = await asked(['parentIdPhotos', 'lastName']);
    const { html } = await post(path, await withPhoto('', 'wrong.jpg'));
    const [, intent = ''] = /value="(remove_photo:[\w-]+)"/.exec(html) ?? [];
    const after = await post(path, await withPhoto('Nov', null, intent));
    expect(after.status).toBe(200);
    expect(after.html).not.toContain('wrong.jpg');
    expect(after.html).toMatch(/<input[^>]*name="lastName"[^>]*value="Nov"/);
    expect((await post(path, await withPhoto('Novak', null))).status).toBe(422);
  });

  test('drops a photo whose correction another press answers while it is stored', async () => {
    const { id, path } = await asked(['parentIdPhotos', 'lastName']);
    await post(path, await withPhoto('', 'mother.jpg'));
    const files = storedFiles(platform.config.dataDir).length;
    const second = new FormData();
    second.set('lastName', 'Novak');
    second.set('parentIdPhotos', new File([new Uint8Array(await jpeg('#123'))], 'late.jpg'));
    const { put } = platform.files;
    const putting = vi.spyOn(platform.files, 'put').mockImplementationOnce(async (...file) => {
      expect((await post(path, await withPhoto('Novak', null))).status).toBe(200);
      return put(...file);
    });
    expect((await post(path, second)).status).toBe(200);
    expect(putting).toHaveBeenCalledOnce();
    putting.mockRestore();
    const kept = await photosByOwner(db, sealer, { applicationId: id });
    expect(kept.map(({ name }) => name)).toEqual(['mother.jpg']);
    const [answered] = await applicationCorrections(db, id);
    expect(await rereadDraft(platform, answered?.id ?? '')).toBeNull();
    expect(storedFiles(platform.config.dataDir)).toHaveLength(files);
  });

  test('stores no photo that it did not ask for', async () => {
    const { id, path } = await asked(['lastName']);
    const [correction] = await applicationCorrections(db, id);
    await post(path, await withPhoto('', 'mother.jpg'));
    expect(await rereadDraft(platform, correction?.id ?? '')).toBeNull();
    expect((await post(path, await withPhoto('Novak', 'mother.jpg'))).status).toBe(200);
    expect(await photosByOwner(db, sealer, { applicationId: id })).toEqual([]);
  });
});
