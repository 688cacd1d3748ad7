import { ageExemption } from '~/features/catalog/age-notes.ts';
import { residenceOptions, supportingVisaOptions } from '~/features/catalog/names.server.ts';
import { travelDocumentNamed } from '~/features/catalog/regime.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import type { ChosenCountry } from '../parts/step-view.ts';
import { EXEMPT } from '../rules/answers.ts';
import { answerStep } from './handle-step-submit.server.ts';
import { leaveOut } from './leave-out.server.ts';
import { goTo, openStep, receiveStep, viewOf, type StepArgs } from './wizard.server.ts';

/** Why a traveller gets no e-visa from us; null where the answer leads on. */
function whyWithout({ hasSupportingDocument }: Typed, country: ChosenCountry) {
  if (hasSupportingDocument === 'no') return 'undocumented';
  const isVisaFree = ageExemption(country)?.from === 'visa_free';
  return hasSupportingDocument === EXEMPT && isVisaFree ? 'exempt' : null;
}

export async function openSupportingDocument(args: StepArgs) {
  const opened = await openStep('supporting_document', args);
  return {
    view: viewOf('supporting_document', opened),
    visaOptions: supportingVisaOptions(opened.language),
    residenceOptions: residenceOptions(opened.language),
  };
}

/**
 * Without a supporting document there is no e-visa, and at some ages no visa is needed: offers insurance, or continues
 * the party without this traveller.
 */
export async function handleSupportingDocumentSubmit(args: StepArgs) {
  const sent = await receiveStep('supporting_document', args, await readForm(args));
  const { country, draft, platform, language, headers } = sent;
  const why = country && sent.intent === 'next' ? whyWithout(sent.entries, country) : null;
  if (why && country && !sent.isNationalityOther) {
    const document = travelDocumentNamed(sent.answers.documentType ?? '');
    if (draft.party && document) {
      return goTo(await leaveOut(platform, draft, { country, document }, language, why), headers);
    }
    return goTo(`/insurance?country=${country.code}&${why}=1`, headers);
  }
  return answerStep('supporting_document', args, sent);
}
