import { describe, expect, it } from 'vitest';
import { southAfrican } from '../testing/sample-browser.server.ts';
import { openWizardStep, submitWizardStep, wizardVisits } from '../testing/wizard-visits.server.ts';

const { atDetails } = await wizardVisits();

describe('an e-mail address that looks mistyped', () => {
  const mistyped = { ...southAfrican, email: 'thandi@gmial.com' };
  const question = { field: 'email', code: 'mistyped', suggestion: 'thandi@gmail.com' };

  it('is asked about, together with what is wrong, and not refused for good', async () => {
    const browser = await atDetails();
    const answer = await browser.post(submitWizardStep('details'), { ...mistyped, phone: '' });
    expect(answer.status).toBe(422);
    expect(answer.data).toMatchObject({
      problems: [{ field: 'phone', code: 'required' }, question],
    });
  });

  it('is kept where the traveller says so, and not asked about again', async () => {
    const browser = await atDetails();
    await browser.post(submitWizardStep('details'), mistyped);
    const kept = { ...mistyped, emailAnswer: 'thandi@gmial.com' };
    const to = { status: 303, location: '/application/review' };
    expect(await browser.post(submitWizardStep('details'), kept)).toMatchObject(to);
    const { data } = await browser.get(openWizardStep('details'));
    expect(data).toMatchObject({
      view: { typed: { email: 'thandi@gmial.com', emailAnswer: 'thandi@gmial.com' } },
    });
    // The page sends the choice again.
    expect(await browser.post(submitWizardStep('details'), kept)).toMatchObject(to);
    const other = { ...kept, email: 'thandi@hotmial.com' };
    expect((await browser.post(submitWizardStep('details'), other)).status).toBe(422);
  });

  it('gives way to the one that was meant', async () => {
    const browser = await atDetails();
    const meant = { ...mistyped, emailAnswer: 'thandi@gmail.com' };
    expect(await browser.post(submitWizardStep('details'), meant)).toMatchObject({ status: 303 });
    expect((await browser.get(openWizardStep('details'))).data).toMatchObject({
      view: { typed: { email: 'thandi@gmail.com' } },
    });
  });

  it('is not taken for an address that nobody asked about', async () => {
    const browser = await atDetails();
    const foreign = { ...southAfrican, emailAnswer: 'somebody@else.example' };
    await browser.post(submitWizardStep('details'), foreign);
    expect((await browser.get(openWizardStep('details'))).data).toMatchObject({
      view: { typed: { email: southAfrican.email } },
    });
  });
});
