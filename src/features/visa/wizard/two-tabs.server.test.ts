import { describe, expect, it } from 'vitest';
import { southAfrican } from '../testing/sample-browser.server.ts';
import { openWizardStep, submitWizardStep, wizardVisits } from '../testing/wizard-visits.server.ts';

const { atDetails } = await wizardVisits();

describe('two tabs', () => {
  const details = (changes: Record<string, string>) => ({ ...southAfrican, ...changes });

  it('are told of one another before an answer is replaced, and nothing is lost', async () => {
    const browser = await atDetails();
    const seen = '3';
    const first = details({ page: 'a', version: seen, motherName: 'Zanele Nkosi' });
    expect(await browser.post(submitWizardStep('details'), first)).toMatchObject({ status: 303 });

    const second = details({ page: 'b', version: seen, motherName: 'Zanele Dlamini' });
    const answer = await browser.post(submitWizardStep('details'), second);
    expect(answer).toMatchObject({
      status: 409,
      data: { replaced: { motherName: 'Zanele Nkosi' } },
    });
    expect((await browser.get(openWizardStep('details'))).data).toMatchObject({
      view: { typed: { motherName: 'Zanele Dlamini' } },
    });
    expect(await browser.post(submitWizardStep('details'), second)).toMatchObject({ status: 303 });
  });

  it('do not disturb one another on different steps', async () => {
    const browser = await atDetails();
    await browser.post(submitWizardStep('arrival'), {
      ...southAfrican,
      'arrivalDate-day': '20',
      page: 'a',
      version: '3',
    });
    const after = await browser.post(
      submitWizardStep('details'),
      details({ page: 'b', version: '3' }),
    );
    expect(after).toMatchObject({ status: 303, location: '/application/review' });
    expect((await browser.get(openWizardStep('arrival'))).data).toMatchObject({
      view: { typed: { 'arrivalDate-day': '20' } },
    });
  });

  it('are one when the browser goes back to the same page', async () => {
    const browser = await atDetails();
    await browser.post(submitWizardStep('details'), details({ page: 'a', version: '3' }));
    const again = details({ page: 'a', version: '3', motherName: 'Zanele Dlamini' });
    expect(await browser.post(submitWizardStep('details'), again)).toMatchObject({ status: 303 });
  });

  it('both succeed when they write at the same moment', async () => {
    const browser = await atDetails();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        browser.post(
          submitWizardStep(index % 2 ? 'arrival' : 'details'),
          details({ page: `p${index % 2}` }),
        ),
      ),
    );
    expect(await browser.get(openWizardStep('review'))).toMatchObject({ status: 200 });
  });
});
