import { makeTestPlatform } from '../../../../test/platform.ts';
import type { StepId } from '../rules/step-ids.ts';
import { handleNationalitySubmit } from '../wizard/nationality.server.ts';
import { handleStepSubmit, openStep, stepView, type StepArgs } from '../wizard/wizard.server.ts';
import { NOW } from './sample-answers.ts';
import { makeBrowser, southAfrican, storeCountries } from './sample-browser.server.ts';

export const openWizardStep = (step: StepId) => async (args: StepArgs) => ({
  view: stepView(step, await openStep(step, args)),
});
export const submitWizardStep = (step: StepId) => (args: StepArgs) => handleStepSubmit(step, args);

/** A service with countries, and travellers in its wizard. */
export async function wizardVisits() {
  const platform = await makeTestPlatform({ now: NOW });
  await storeCountries(platform);

  /** A South African who has answered everything before the details. */
  async function atDetails() {
    const browser = makeBrowser(platform);
    await browser.post(handleNationalitySubmit, southAfrican);
    await browser.post(submitWizardStep('what_it_allows'), southAfrican);
    await browser.post(submitWizardStep('arrival'), southAfrican);
    return browser;
  }
  return { atDetails, platform };
}
