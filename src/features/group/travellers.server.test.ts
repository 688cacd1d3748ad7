import { describe, expect, test, vi } from 'vitest';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { photosByOwner } from '~/features/insurance/store/photo-store.server.ts';
import { jpeg } from '~/features/insurance/testing/api-calls.ts';
import { handleFormSubmit } from '~/features/insurance/form/handle-form-submit.server.ts';
import { openForm } from '~/features/insurance/form/open-form.server.ts';
import { deleteExpiredDrafts } from '~/features/form/draft/draft.server.ts';
import { parseZone } from '~/features/visa/passport-reader/zone.ts';
import { ZONE } from '~/features/visa/rules/typed.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { countries, NOW } from '~/features/visa/testing/sample-answers.ts';
import { controls, makeBrowser } from '~/features/visa/testing/sample-browser.server.ts';
import {
  handleNationalitySubmit,
  openNationality,
  handleSupportingDocumentSubmit,
} from '~/features/visa/wizard/nationality.server.ts';
import { handleReviewSubmit, openReview } from '~/features/visa/wizard/review.server.ts';
import { openStep, stepView } from '~/features/visa/wizard/wizard.server.ts';
import { handleTravellers, openTravellers } from './travellers.server.ts';
import { submitWizardStep } from '~/features/visa/testing/wizard-visits.server.ts';
import { at, person, child, type Browser, familyVisits } from './testing/family-visits.ts';
import { makeTestApp } from '../../../test/pages.ts';

const {
  add,
  addAnswered,
  answerRest,
  beginGroup,
  count,
  listOf,
  orderOf,
  pay,
  payments,
  peopleIn,
  platform,
} = await familyVisits();

describe('a family', () => {
  test('applies together: own answers, one order, one payment', async () => {
    const browser = await beginGroup(person('Anna'));
    await addAnswered(browser, person('Bela', countries.india));
    await addAnswered(browser, person('Carl', countries.southAfrica, child));
    const view = await listOf(browser);
    expect(view.travellers.map(({ name, todo }) => [name, todo])).toEqual([
      ['Anna Nkosi', null],
      ['Bela Nkosi', null],
      ['Carl Nkosi', null],
    ]);
    expect(view.isReady).toBe(true);
    const sent = await pay(browser, view.total, { 'insurance-1': '' });
    expect(sent).toMatchObject({ status: 303 });
    const number = await orderOf(browser);
    expect(number).toMatch(/^TRG/);
    expect(await peopleIn(number)).toEqual([
      ['Anna', 'ZAF', 'PANNA7'],
      ['Bela', 'IND', 'PBELA7'],
      ['Carl', 'ZAF', 'PCARL7'],
    ]);
    // From every traveller, the page now leads to the payment.
    expect((await browser.get(openTravellers)).data).toMatchObject({
      kind: 'submitted',
      orderNumber: number,
      travellers: 3,
    });
    expect((await browser.get(openReview, at(2))).data).toMatchObject({ orderNumber: number });
    expect(await count('draft_party')).toBe(0);
  });

  test('keeps with each what was read from their own passport', async () => {
    const written = 'TD3|ZAF|ZAF|NKOSI|BELA||PBELA7|1990-05-17|2032-02-28';
    const browser = await beginGroup(person('Anna'));
    const bela = person('Bela');
    const position = await addAnswered(browser, bela);
    const fields = { ...controls(bela), [ZONE]: written };
    await browser.post(submitWizardStep('details'), fields, at(position, '/application/details'));
    const { total } = await listOf(browser);
    expect(await pay(browser, total)).toMatchObject({ status: 303 });
    const stored = await applicationsByOrder(platform.db, await orderOf(browser));
    const zones = await Promise.all(
      stored.map(async ({ id, firstName }) => {
        const details = await readVisaDetails(platform.db, platform.sealer, id);
        return [firstName, details?.zone ?? null];
      }),
    );
    expect(zones).toEqual([
      ['Anna', null],
      ['Bela', parseZone(written)],
    ]);
  });

  test('begins with one who was alone so far, from the page of all answers', async () => {
    const browser = makeBrowser(platform, { payments });
    await browser.post(handleNationalitySubmit, { ...controls(person('Dora')), party: 'me' });
    for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
      await browser.post(submitWizardStep(step), controls(person('Dora')));
    }
    const sent = await browser.post(handleReviewSubmit, { intent: 'add' });
    expect(sent).toMatchObject({ status: 303, location: '/application?traveller=2' });
    // Answers shared by travellers of one journey are copied.
    await browser.post(
      handleNationalitySubmit,
      { countryId: 'ZAF', documentType: 'ordinary' },
      at(2),
    );
    await browser.post(submitWizardStep('what_it_allows'), { purpose: 'tourism' }, at(2));
    const arrival = controls({ arrivalDate: '2027-01-15', processingType: 'fast' });
    await browser.post(submitWizardStep('arrival'), arrival, at(2));
    const details = await browser.get(
      async (args) => ({ view: stepView('details', await openStep('details', args)) }),
      at(2),
    );
    expect(details.data).toMatchObject({
      view: {
        typed: {
          email: 'thandi.nkosi@mail.example',
          address: '12 Marine Parade, 4001 Durban',
          firstName: '',
          passportNumber: '',
        },
        answers: { arrivalDate: '2027-01-15' },
        party: { position: 2, positions: [1, 2] },
      },
    });
    // The first traveller can no longer be paid for alone.
    const alone = await browser.post(
      handleReviewSubmit,
      { intent: 'pay', totalAmount: '94.00' },
      at(1),
    );
    expect(alone).toMatchObject({ status: 303, location: '/application/travellers' });
  });

  test('shows a single name once', async () => {
    const browser = await beginGroup({ ...person('Suharto'), lastName: 'Suharto' });
    expect((await listOf(browser)).travellers[0]?.name).toBe('Suharto');
  });

  test('with one traveller left becomes a single traveller again', async () => {
    const browser = makeBrowser(platform);
    const fields = controls(person('Emil'));
    await browser.post(handleNationalitySubmit, { ...fields, party: 'group' });
    const back = await browser.post(handleNationalitySubmit, { ...fields, party: 'me' }, at(1));
    expect(back).toMatchObject({ location: '/application/what-it-allows' });
    expect(await browser.get(openTravellers)).toMatchObject({
      location: '/application/what-it-allows',
    });
  });

  test('arrives together: a day that one chooses is everybody’s', async () => {
    const browser = await beginGroup(person('Fay'));
    const second = await addAnswered(browser, person('Gus'));
    const later = controls(person('Gus', countries.southAfrica, { arrivalDate: '2027-01-20' }));
    await browser.post(submitWizardStep('arrival'), later, at(second));
    const view = await listOf(browser);
    expect(view.arrivalDate).toBe('2027-01-20');
    expect(view.isReady).toBe(true);
  });

  test('says who is not complete, who has the same passport, and pays for nobody before', async () => {
    const browser = await beginGroup(person('Hal'));
    const second = await add(browser);
    expect((await listOf(browser)).travellers[1]).toMatchObject({
      name: '',
      todo: { step: 'nationality', url: '/application?traveller=2' },
    });
    const before = await count('application');
    const sent = await pay(browser, { minor: 9400, currency: 'USD' });
    expect(sent).toMatchObject({ status: 303, location: '/application/travellers' });
    await browser.post(handleNationalitySubmit, controls(person('Hal')), at(second));
    await answerRest(browser, person('Hal'), second);
    const view = await listOf(browser);
    expect(view.travellers[1]?.problem).toBe('passportNumber.repeated');
    expect(view.isReady).toBe(false);
    await pay(browser, view.total);
    expect(await count('application')).toBe(before);
  });

  test('has ten travellers at most', async () => {
    const browser = await beginGroup(person('Ida'));
    for (let more = 0; more < 9; more += 1) await add(browser);
    expect(await browser.post(handleTravellers, { intent: 'add' })).toMatchObject({
      location: '/application/travellers',
    });
    expect((await listOf(browser)).travellers).toHaveLength(10);
  });

  test('sees the right total where another one was shown, and stores nothing', async () => {
    const browser = await beginGroup(person('Jan'));
    await addAnswered(browser, person('Kim'));
    const before = await count('application');
    const sent = await pay(browser, { minor: 9400, currency: 'USD' });
    expect(sent).toMatchObject({ status: 409, data: { newTotal: { minor: 18_800 } } });
    expect(await count('application')).toBe(before);
  });

  test('keeps the insurance that was chosen while somebody is added', async () => {
    const browser = await beginGroup(person('Lea'));
    await browser.post(handleTravellers, { intent: 'add', 'insurance-1': '14-days' });
    const view = await listOf(browser);
    expect(view.travellers[0]?.insurance.chosen).toBe('14-days');
    expect(view.total.minor).toBe(9400 + 14_900);
  });

  test('adds up the plans by a button where no scripts run', async () => {
    const browser = await beginGroup(person('Uma'));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const app = makeTestApp(platform, payments);
    const page = await app.request('/application/travellers', { headers: { cookie } });
    const [, intent = ''] = /<noscript><button[^>]* value="([^"]*)"/.exec(await page.text()) ?? [];
    const sent = await browser.post(handleTravellers, { intent, 'insurance-1': '14-days' });
    expect(sent).toMatchObject({ status: 303, location: '/application/travellers#total' });
    expect((await listOf(browser)).total.minor).toBe(9400 + 14_900);
  });

  test('asks for a parent’s ID where a child is insured', async () => {
    const browser = await beginGroup(person('Max'));
    const second = await addAnswered(browser, person('Nia', countries.southAfrica, child));
    await browser.post(handleTravellers, { intent: 'quote', [`insurance-${second}`]: '7-days' });
    const view = await listOf(browser);
    const before = await count('application');
    expect(await pay(browser, view.total)).toMatchObject({
      status: 422,
      data: { problems: [{ field: 'parentIdPhotos', code: 'required' }] },
    });
    expect(await count('application')).toBe(before);
  });

  describe('with photos of a parent’s ID', () => {
    const withFiles = async (fields: Record<string, string>, ...names: string[]) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      for (const [index, name] of names.entries()) {
        const bytes = name.endsWith('.jpg') ? await jpeg(`#12${index}`) : Buffer.from('<html>');
        form.append('parentIdPhotos', new File([new Uint8Array(bytes)], name));
      }
      return form;
    };
    const family = async (name: string) => {
      const browser = await beginGroup(person(name));
      const young = await addAnswered(browser, person(`${name}a`, countries.southAfrica, child));
      const other = await addAnswered(browser, person(`${name}b`, countries.southAfrica, child));
      const plans = { [`insurance-${young}`]: '7-days', [`insurance-${other}`]: '7-days' };
      return { browser, plans };
    };
    const named = async (browser: Browser) =>
      (await listOf(browser)).photos.map(({ name }) => name);

    test('keeps them whatever else is wrong, and gives each child their own', async () => {
      const { browser, plans } = await family('Tia');
      const first = { intent: 'quote', ...plans };
      const sent = await browser.post(handleTravellers, await withFiles(first, 'm.jpg', 'x.txt'));
      expect(sent).toMatchObject({
        status: 422,
        data: { problems: [{ field: 'parentIdPhotos', name: 'x.txt' }] },
      });
      expect(await named(browser)).toEqual(['m.jpg']);
      const wrongTotal = { intent: 'pay', totalAmount: '1.00', ...plans };
      expect(await browser.post(handleTravellers, await withFiles(wrongTotal))).toMatchObject({
        status: 409,
      });
      const { total, photos } = await listOf(browser);
      expect(photos).toHaveLength(1);
      await pay(browser, total, plans);
      const order = await orderOf(browser);
      const together = await applicationsByOrder(platform.db, order);
      const insured = together.filter(({ kind }) => kind === 'insurance');
      const files = await Promise.all(
        insured.map(({ id }) => photosByOwner(platform.db, platform.sealer, { applicationId: id })),
      );
      expect(files.map((own) => own.map(({ name }) => name))).toEqual([['m.jpg'], ['m.jpg']]);
      expect(new Set(files.flat().map(({ fileId }) => fileId)).size).toBe(2);
      expect(await count('insurance_photo where draft_id is not null')).toBe(0);
      expect(await count("draft where form = 'insurance'")).toBe(0);
    });

    test('keeps them while somebody is added, and takes one back', async () => {
      const { browser, plans } = await family('Uma');
      await browser.post(handleTravellers, await withFiles({ intent: 'add', ...plans }, 'm.jpg'));
      expect(await named(browser)).toEqual(['m.jpg']);
      const [photo] = (await listOf(browser)).photos;
      await browser.post(handleTravellers, { intent: `remove_photo:${photo?.id}`, ...plans });
      expect(await named(browser)).toEqual([]);
    });

    test('drops one that is stored while another press pays', async () => {
      const { browser, plans } = await family('Vea');
      await browser.post(handleTravellers, await withFiles({ intent: 'quote', ...plans }, 'm.jpg'));
      const { total } = await listOf(browser);
      const late = await withFiles({ intent: 'quote', ...plans });
      late.append('parentIdPhotos', new File([new Uint8Array(await jpeg('#789'))], 'late.jpg'));
      const { put } = platform.files;
      const putting = vi.spyOn(platform.files, 'put').mockImplementationOnce(async (...file) => {
        expect(await pay(browser, total, plans)).toMatchObject({ status: 303 });
        return put(...file);
      });
      expect(await browser.post(handleTravellers, late)).toMatchObject({ status: 303 });
      putting.mockRestore();
      expect(await orderOf(browser)).toMatch(/^TRG/);
      expect(await count('insurance_photo where draft_id is not null')).toBe(0);
      expect(await count("draft where form = 'insurance'")).toBe(0);
    });

    test('reads them for insured children alone, once nothing else is wrong', async () => {
      const { browser, plans } = await family('Wea');
      await browser.post(handleTravellers, await withFiles({ intent: 'quote', ...plans }, 'm.jpg'));
      const reading = vi.spyOn(platform.files, 'read');
      await browser.post(handleTravellers, { intent: 'pay', totalAmount: '1.00', ...plans });
      const uninsured = Object.fromEntries(Object.keys(plans).map((control) => [control, '']));
      await browser.post(handleTravellers, { intent: 'quote', ...uninsured });
      const { total } = await listOf(browser);
      expect(await pay(browser, total, uninsured)).toMatchObject({ status: 303 });
      expect(reading).not.toHaveBeenCalled();
      reading.mockRestore();
      expect(await count("draft where form = 'insurance'")).toBe(0);
    });

    test('stores nothing where the file of one is gone', async () => {
      const { browser, plans } = await family('Xea');
      await browser.post(handleTravellers, await withFiles({ intent: 'quote', ...plans }, 'm.jpg'));
      const { total } = await listOf(browser);
      const before = await count('application');
      const reading = vi.spyOn(platform.files, 'read').mockResolvedValueOnce(undefined);
      await expect(pay(browser, total, plans)).rejects.toThrow('file');
      reading.mockRestore();
      expect(await count('application')).toBe(before);
      expect(await pay(browser, total, plans)).toMatchObject({ status: 303 });
    });
  });
});

test('ends with its drafts', async () => {
  const browser = await beginGroup(person('Ole'));
  await add(browser);
  platform.clock.advance(30 * 24 * 3600_000);
  await deleteExpiredDrafts(platform);
  expect(await count('draft_party')).toBe(0);
  expect(await browser.get(openTravellers)).toMatchObject({ location: '/application' });
  platform.clock.set(NOW);
});

describe('somebody who needs no visa', async () => {
  const { addInsured, answerInsured, answerRest, beginGroup, listOf, orderOf, pay, platform } =
    await familyVisits();
  const german = { countryId: 'DEU', documentType: 'ordinary', intent: 'insure' };
  const boughtIn = async (order: string) =>
    (await applicationsByOrder(platform.db, order)).map(
      ({ kind, firstName, travellerPosition }) => [travellerPosition, kind, firstName],
    );

  test('is insured in the same order, from the step that says so', async () => {
    const browser = await beginGroup(person('Rex'));
    const { location } = await browser.post(handleTravellers, { intent: 'add' });
    const sent = await browser.post(handleNationalitySubmit, german, location ?? '');
    expect(sent).toMatchObject({ status: 303, location: '/insurance?traveller=2' });
    // What the family shares is filled in.
    expect((await browser.get(openForm, '/insurance?traveller=2')).data).toMatchObject({
      party: { position: 2, positions: [1, 2] },
      typed: {
        nationality: 'DEU',
        documentType: 'ordinary',
        email: 'thandi.nkosi@mail.example',
        'travelDate-day': '15',
      },
    });
    expect((await listOf(browser)).travellers[1]).toMatchObject({
      kind: 'insurance',
      todo: { step: 'insurance', url: '/insurance?traveller=2' },
    });
    await answerInsured(browser, 2, 'Otto');
    const view = await listOf(browser);
    expect(view.travellers[1]).toMatchObject({ todo: null, insurance: { chosen: '14-days' } });
    expect(view.total.minor).toBe(9400 + 14_900);
    expect(await pay(browser, view.total)).toMatchObject({ status: 303 });
    const order = await orderOf(browser);
    expect(order).toMatch(/^TRG/);
    expect(await boughtIn(order)).toEqual([
      [1, 'visa', 'Rex'],
      [2, 'insurance', 'Otto'],
    ]);
  });

  test.each([
    ['without a supporting document', 'IND', 'no'],
    ['at an age', 'LBY', 'exempt'],
  ])('%s is insured from that step', async (_, countryId, hasSupportingDocument) => {
    const browser = await beginGroup(person('Tea'));
    await browser.post(handleTravellers, { intent: 'add' });
    await browser.post(handleNationalitySubmit, { countryId, documentType: 'ordinary' }, at(2));
    const insured = { hasSupportingDocument, intent: 'insure' };
    expect(await browser.post(handleSupportingDocumentSubmit, insured, at(2))).toMatchObject({
      status: 303,
      location: '/insurance?traveller=2',
    });
    expect((await browser.get(openForm, '/insurance?traveller=2')).data).toMatchObject({
      typed: { nationality: countryId, documentType: 'ordinary', 'travelDate-day': '15' },
    });
  });

  test('may be the first, who pays', async () => {
    const browser = makeBrowser(platform, { payments });
    const sent = await browser.post(handleNationalitySubmit, { ...german, party: 'group' });
    expect(sent).toMatchObject({ status: 303, location: '/insurance?traveller=1' });
    await answerInsured(browser, 1, 'Otto');
    const added = await browser.post(handleTravellers, { intent: 'add' });
    expect(added.location).toBe('/application?traveller=2');
    await browser.post(handleNationalitySubmit, controls(person('Rosa')), at(2));
    await answerRest(browser, person('Rosa'), 2);
    const { total } = await listOf(browser);
    const paid = await Promise.all([1, 2].map(() => pay(browser, total)));
    expect(paid.map(({ status }) => status)).toEqual([303, 303]);
    const order = await orderOf(browser);
    expect(await boughtIn(order)).toEqual([
      [1, 'insurance', 'Otto'],
      [2, 'visa', 'Rosa'],
    ]);
  });

  test('who is a child needs a parent’s ID, and no passport is there twice', async () => {
    const browser = await beginGroup(person('Ina'));
    const second = await addInsured(browser, 'Kai', { dateOfBirth: '2015-02-03' });
    const { total, travellers } = await listOf(browser);
    expect(travellers[1]).toMatchObject({ todo: null, insurance: { isChild: true } });
    expect(await pay(browser, total)).toMatchObject({
      status: 422,
      data: { problems: [{ field: 'parentIdPhotos', code: 'required' }] },
    });
    const form = new FormData();
    form.set('intent', 'pay');
    form.set('totalAmount', (total.minor / 100).toFixed(2));
    form.append('parentIdPhotos', new File([new Uint8Array(await jpeg('#456'))], 'm.jpg'));
    expect(await browser.post(handleTravellers, form)).toMatchObject({ status: 303 });
    const [, kai] = await applicationsByOrder(platform.db, await orderOf(browser));
    const photos = await photosByOwner(platform.db, platform.sealer, {
      applicationId: kai?.id ?? '',
    });
    expect(photos.map(({ name }) => name)).toEqual(['m.jpg']);
    expect(second).toBe(2);

    const other = await beginGroup(person('Ole'));
    await addInsured(other, 'Ute', { nationality: 'ZAF', passportNumber: 'POLE7' });
    expect((await listOf(other)).travellers[1]?.problem).toBe('passportNumber.repeated');
  });

  test('is no other traveller’s page, and keeps the party open', async () => {
    const browser = await beginGroup(person('Ada'));
    const second = await addInsured(browser, 'Bo');
    const travellers = { location: '/application/travellers' };
    expect(await browser.get(openNationality, at(second))).toMatchObject(travellers);
    expect(await browser.get(openForm, at(1, '/insurance'))).toMatchObject(travellers);
    expect(await browser.get(openForm, at(7, '/insurance'))).toMatchObject(travellers);
    const later = { intent: 'later', saveEmail: 'bo@mail.example' };
    expect(await browser.post(handleFormSubmit, later, at(second, '/insurance'))).toMatchObject({
      location: '/application/saved',
    });
    await browser.post(handleTravellers, { intent: 'remove:1' });
    expect((await listOf(browser)).travellers.map(({ position }) => position)).toEqual([second]);
  });
});

describe('leave party', async () => {
  const { add, addAnswered, beginGroup, listOf, platform } = await familyVisits();

  describe('one who leaves', () => {
    test('deletes their answers, and nobody else’s', async () => {
      const browser = await beginGroup(person('Oda'));
      const second = await addAnswered(browser, person('Pia'));
      await browser.post(handleTravellers, { intent: 'remove:1' });
      const view = await listOf(browser);
      expect(view.travellers.map(({ name, position }) => [name, position])).toEqual([
        ['Pia Nkosi', second],
      ]);
      // A page of the removed traveller that is still open changes nothing.
      const late = await browser.post(submitWizardStep('details'), controls(person('Oda')), at(1));
      expect(late).toMatchObject({ status: 303, location: '/application/travellers' });
      expect((await listOf(browser)).travellers[0]?.name).toBe('Pia Nkosi');
      // Positions of removed travellers are not used again.
      await browser.post(handleTravellers, { intent: `remove:${second}` });
      expect(await add(browser)).toBe(3);
    });

    test('is said to need no visa, while the others go on', async () => {
      const browser = await beginGroup(person('Rex'));
      const second = await add(browser);
      const german = { countryId: 'DEU', documentType: 'ordinary', noticed: 'DEU ordinary' };
      const sent = await browser.post(handleNationalitySubmit, german, at(second));
      expect(sent).toMatchObject({
        status: 303,
        location: '/application/travellers?without=DEU&document=ordinary',
      });
      expect((await browser.get(openTravellers, sent.location ?? '')).data).toMatchObject({
        view: {
          leftOut: { eligibility: { reason: 'visa_free', stayDays: 90 } },
          travellers: [{ position: 1 }],
        },
      });
    });

    test.each([
      ['on a consular passport', { countryId: 'CUB', documentType: 'ordinary' }, 'consular_visa'],
      ['on a service passport', { countryId: 'ZAF', documentType: 'service' }, 'service_passport'],
    ])('is said to get none %s', async (_, fields, reason) => {
      const browser = await beginGroup(person('Sam'));
      const second = await add(browser);
      const noticed = `${fields.countryId} ${fields.documentType}`;
      const sent = await browser.post(handleNationalitySubmit, { ...fields, noticed }, at(second));
      expect((await browser.get(openTravellers, sent.location ?? '')).data).toMatchObject({
        view: { leftOut: { eligibility: { reason } }, travellers: [{ position: 1 }] },
      });
    });

    test('has no supporting document', async () => {
      const browser = await beginGroup(person('Tea'));
      const second = await add(browser);
      const indian = controls(person('Udo', countries.india));
      await browser.post(handleNationalitySubmit, indian, at(second));
      const sent = await browser.post(
        handleSupportingDocumentSubmit,
        { hasSupportingDocument: 'no' },
        at(second),
      );
      expect((await browser.get(openTravellers, sent.location ?? '')).data).toMatchObject({
        view: {
          leftOut: { eligibility: { reason: 'supporting_document_required' } },
          travellers: [{ position: 1 }],
        },
      });
    });

    test('needs no visa at an age', async () => {
      const browser = await beginGroup(person('Ada'));
      const second = await add(browser);
      const libyan = { countryId: 'LBY', documentType: 'ordinary' };
      await browser.post(handleNationalitySubmit, libyan, at(second));
      const sent = await browser.post(
        handleSupportingDocumentSubmit,
        { hasSupportingDocument: 'exempt' },
        at(second),
      );
      expect((await browser.get(openTravellers, sent.location ?? '')).data).toMatchObject({
        view: { leftOut: { note: 'LBY' }, travellers: [{ position: 1 }] },
      });
    });

    test('may be the first, before anything is stored', async () => {
      const browser = makeBrowser(platform);
      const german = { countryId: 'DEU', documentType: 'ordinary', noticed: 'DEU ordinary' };
      const sent = await browser.post(handleNationalitySubmit, { ...german, party: 'group' });
      expect((await browser.get(openNationality, sent.location ?? '')).data).toMatchObject({
        isGroup: true,
        without: { eligibility: { reason: 'visa_free' } },
        view: { typed: { countryId: '' } },
      });
    });
  });
});
