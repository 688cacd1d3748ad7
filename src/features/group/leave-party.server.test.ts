import { describe, expect, test } from 'vitest';
import { countries } from '~/features/visa/testing/sample-answers.ts';
import { controls, makeBrowser } from '~/features/visa/testing/sample-browser.server.ts';
import {
  handleNationalitySubmit,
  openNationality,
} from '~/features/visa/wizard/nationality.server.ts';
import { handleSupportingDocumentSubmit } from '~/features/visa/wizard/supporting-document.server.ts';
import { handleTravellers, openTravellers } from './travellers.server.ts';
import { take } from '~/features/visa/testing/wizard-visits.server.ts';
import { at, person, familyVisits } from './testing/family-visits.ts';

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
    const late = await browser.post(take('details'), controls(person('Oda')), at(1));
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
