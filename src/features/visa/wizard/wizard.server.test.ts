import { describe, expect, it } from 'vitest';
import { deleteExpiredDrafts } from '~/features/form/draft/draft.server.ts';
import { openVisaDraft } from '../store/draft.server.ts';
import {
  openNationality,
  handleNationalitySubmit,
  openSupportingDocument,
  handleSupportingDocumentSubmit,
} from './nationality.server.ts';
import { exemptAnswers, NOW } from '../testing/sample-answers.ts';
import { controls, indian, makeBrowser, southAfrican } from '../testing/sample-browser.server.ts';
import { openWizardStep, submitWizardStep, wizardVisits } from '../testing/wizard-visits.server.ts';

const { atDetails, platform } = await wizardVisits();

describe('the wizard without scripts', () => {
  it('leads a South African through five steps', async () => {
    const browser = makeBrowser(platform);
    const steps = [
      [handleNationalitySubmit, '/application/what-it-allows'],
      [submitWizardStep('what_it_allows'), '/application/arrival'],
      [submitWizardStep('arrival'), '/application/details'],
      [submitWizardStep('details'), '/application/review'],
    ] as const;
    for (const [action, location] of steps) {
      expect(await browser.post(action, southAfrican)).toMatchObject({ status: 303, location });
    }
  });

  it('leads an Indian through six', async () => {
    const browser = makeBrowser(platform);
    const steps = [
      [handleNationalitySubmit, '/application/supporting-document'],
      [handleSupportingDocumentSubmit, '/application/arrival'],
      [submitWizardStep('arrival'), '/application/prerequisites'],
      [submitWizardStep('prerequisites'), '/application/details'],
      [submitWizardStep('details'), '/application/review'],
    ] as const;
    for (const [action, location] of steps) {
      expect(await browser.post(action, indian)).toMatchObject({ status: 303, location });
    }
  });

  it('leads an Egyptian whose age needs no document through six, and compares the birth date', async () => {
    const browser = makeBrowser(platform);
    const egyptian = controls(exemptAnswers);
    const steps = [
      [handleNationalitySubmit, '/application/supporting-document'],
      [handleSupportingDocumentSubmit, '/application/what-it-allows'],
      [submitWizardStep('what_it_allows'), '/application/arrival'],
      [submitWizardStep('arrival'), '/application/details'],
    ] as const;
    for (const [action, location] of steps) {
      expect(await browser.post(action, egyptian)).toMatchObject({ status: 303, location });
    }
    const young = { ...egyptian, ...controls({ dateOfBirth: '1990-05-17' }) };
    expect(await browser.post(submitWizardStep('details'), young)).toMatchObject({
      status: 422,
      data: {
        problems: [{ field: 'dateOfBirth', code: 'not_exempt', count: 36 }],
        typed: { lastName: 'Nkosi', 'dateOfBirth-year': '1990' },
      },
    });
    expect(await browser.get(openWizardStep('review'))).toMatchObject({
      location: '/application/details',
    });
    expect(await browser.post(submitWizardStep('details'), egyptian)).toMatchObject({
      location: '/application/review',
    });
  });

  it('sends who jumps ahead to the first open step', async () => {
    const browser = makeBrowser(platform);
    expect(await browser.get(openWizardStep('details'))).toMatchObject({
      status: 302,
      location: '/application',
    });
    await browser.post(handleNationalitySubmit, southAfrican);
    expect(await browser.get(openWizardStep('details'))).toMatchObject({
      location: '/application/what-it-allows',
    });
    expect(await browser.get(openWizardStep('prerequisites'))).toMatchObject({
      location: '/application/what-it-allows',
    });
  });

  it('keeps wrong answers, with what is wrong, also after a reload', async () => {
    const browser = await atDetails();
    const wrong = { ...southAfrican, email: 'nobody', 'dateOfBirth-month': 'Juneuary' };
    const answer = await browser.post(submitWizardStep('details'), wrong);
    expect(answer.status).toBe(422);
    const problems = [
      { field: 'dateOfBirth', code: 'month_unreal' },
      { field: 'email', code: 'invalid' },
    ];
    expect(answer.data).toMatchObject({ problems, typed: { email: 'nobody' } });
    expect((await browser.get(openWizardStep('details'))).data).toMatchObject({
      view: {
        problems,
        typed: { email: 'nobody', 'dateOfBirth-month': 'Juneuary', lastName: 'Nkosi' },
      },
    });
  });

  it('shows nothing wrong before Next was pressed', async () => {
    const browser = await atDetails();
    expect((await browser.get(openWizardStep('details'))).data).toMatchObject({
      view: { problems: [] },
    });
    const previous = { ...southAfrican, email: 'nob', intent: 'previous' };
    expect(await browser.post(submitWizardStep('details'), previous)).toMatchObject({
      status: 303,
      location: '/application/arrival',
    });
    expect((await browser.get(openWizardStep('details'))).data).toMatchObject({
      view: { problems: [], typed: { email: 'nob' } },
    });
  });

  it('finds a later answer that an earlier one made wrong', async () => {
    const browser = await atDetails();
    await browser.post(submitWizardStep('details'), southAfrican);
    const later = { ...southAfrican, 'arrivalDate-year': '2032' };
    expect(await browser.post(submitWizardStep('arrival'), later)).toMatchObject({
      location: '/application/details',
    });
    expect((await browser.get(openWizardStep('details'))).data).toMatchObject({
      view: { problems: [{ field: 'passportExpiryDate', code: 'six_months', date: '2032-07-15' }] },
    });
  });

  it('forgets with the country what depended on it', async () => {
    const browser = makeBrowser(platform);
    await browser.post(handleNationalitySubmit, indian);
    await browser.post(handleSupportingDocumentSubmit, indian);
    await browser.post(submitWizardStep('arrival'), indian);
    await browser.post(handleNationalitySubmit, southAfrican);
    await browser.post(handleNationalitySubmit, indian);
    expect((await browser.get(openSupportingDocument)).data).toMatchObject({
      view: { problems: [], typed: { hasSupportingDocument: '', supportingDocumentNumber: '' } },
    });
    expect(await browser.get(openWizardStep('arrival'))).toMatchObject({
      location: '/application/supporting-document',
    });
  });

  it('takes an arrival along that the home page has asked for', async () => {
    const browser = makeBrowser(platform);
    const arrival = {
      'arrivalDate-day': '15',
      'arrivalDate-month': '1',
      'arrivalDate-year': '2027',
    };
    const query = new URLSearchParams({ countryId: 'zaf', ...arrival });
    const page = await browser.get(openNationality, `/application?${query}`);
    expect(page.data).toMatchObject({ view: { typed: { countryId: 'ZAF' } }, carried: arrival });
    expect(browser.cookies.size).toBe(0);
    await browser.post(handleNationalitySubmit, {
      countryId: 'ZAF',
      documentType: 'ordinary',
      ...arrival,
    });
    await browser.post(submitWizardStep('what_it_allows'), southAfrican);
    expect((await browser.get(openWizardStep('arrival'))).data).toMatchObject({
      view: { typed: arrival },
    });
  });
});

describe('who gets no e-visa', () => {
  const german = { countryId: 'DEU', documentType: 'ordinary' };

  it('reads the visa-free notice first and is led to insurance then', async () => {
    const browser = makeBrowser(platform);
    const first = await browser.post(handleNationalitySubmit, german);
    expect(first).toMatchObject({ status: 200, data: { noEvisa: true } });
    const noticed = { ...german, noticed: 'DEU ordinary' };
    expect(await browser.post(handleNationalitySubmit, noticed)).toMatchObject({
      status: 303,
      location: '/insurance?country=DEU',
    });
    expect(browser.cookies.size).toBe(0);
  });

  it('sees the dialog where a consulate decides', async () => {
    const browser = makeBrowser(platform);
    const cuban = { countryId: 'CUB', documentType: 'ordinary', noticed: 'CUB ordinary' };
    expect(await browser.post(handleNationalitySubmit, cuban)).toMatchObject({
      data: { noEvisa: true },
    });
  });

  it('holds another document, and is told', async () => {
    const browser = makeBrowser(platform);
    const diplomat = { countryId: 'ZAF', documentType: 'diplomatic' };
    expect(await browser.post(handleNationalitySubmit, diplomat)).toMatchObject({
      data: { noEvisa: true },
    });
  });

  it.each(['ZAF', 'CUB'])(
    'holds another document of %s, and is led to insurance then',
    async (countryId) => {
      const noticed = `${countryId} diplomatic`;
      const diplomat = { countryId, documentType: 'diplomatic', noticed };
      expect(await makeBrowser(platform).post(handleNationalitySubmit, diplomat)).toMatchObject({
        status: 303,
        location: `/insurance?country=${countryId}`,
      });
    },
  );

  it('has no supporting document', async () => {
    const browser = makeBrowser(platform);
    await browser.post(handleNationalitySubmit, indian);
    expect(
      await browser.post(handleSupportingDocumentSubmit, { hasSupportingDocument: 'no' }),
    ).toMatchObject({
      status: 303,
      location: '/insurance?country=IND&undocumented=1',
    });
  });

  it('needs no visa at an age', async () => {
    const libyan = { countryId: 'LBY', documentType: 'ordinary' };
    const browser = makeBrowser(platform);
    await browser.post(handleNationalitySubmit, libyan);
    expect(
      await browser.post(handleSupportingDocumentSubmit, { hasSupportingDocument: 'exempt' }),
    ).toMatchObject({ status: 303, location: '/insurance?country=LBY&exempt=1' });
  });

  it('chooses nothing and stays, with nothing stored', async () => {
    const browser = makeBrowser(platform);
    expect(
      await browser.post(handleNationalitySubmit, { countryId: '', documentType: '' }),
    ).toMatchObject({
      status: 422,
      data: { problems: [{ field: 'countryId' }, { field: 'documentType' }] },
    });
    expect(browser.cookies.size).toBe(0);
  });
});

describe('a draft', () => {
  it('is sealed, and ends 30 days after the last change', async () => {
    const browser = await atDetails();
    await browser.post(submitWizardStep('details'), {
      ...southAfrican,
      passportNumber: 'SECRET42',
    });
    const { rows } = await platform.pool.query('select * from draft');
    expect(JSON.stringify(rows.map((row) => Object.values(row).map(String)))).not.toContain(
      'SECRET42',
    );

    const request = new Request('http://127.0.0.1:3000/', {
      headers: { cookie: `lale_draft=${browser.cookies.get('lale_draft')}` },
    });
    expect(await openVisaDraft(platform, request)).not.toBeNull();
    platform.clock.advance(30 * 24 * 3600_000);
    expect(await openVisaDraft(platform, request)).toBeNull();
    expect(await deleteExpiredDrafts(platform)).toBeGreaterThan(0);
    const { rows: left } = await platform.pool.query('select * from draft_device');
    expect(left).toEqual([]);
    platform.clock.set(NOW);
  });

  it('bears a cookie that is none', async () => {
    const browser = makeBrowser(platform);
    browser.cookies.set('lale_draft', 'nonsense');
    expect(await browser.get(openWizardStep('details'))).toMatchObject({
      location: '/application',
    });
    expect(await browser.post(handleNationalitySubmit, southAfrican)).toMatchObject({
      status: 303,
    });
  });
});
