import { residenceOptions, supportingVisaOptions } from '~/features/catalog/names.server.ts';
import { travelDocumentNamed } from '~/features/catalog/regime.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { answerStep } from './handle-step-submit.server.ts';
import { leaveOut } from './leave-out.server.ts';
import { goTo, openStep, receiveStep, viewOf, type StepArgs } from './wizard.server.ts';

export async function openSupportingDocument(args: StepArgs) {
  const opened = await openStep('supporting_document', args);
  return {
    view: viewOf('supporting_document', opened),
    visaOptions: supportingVisaOptions(opened.language),
    residenceOptions: residenceOptions(opened.language),
  };
}

/**
 * Without a supporting document there is no e-visa: offers insurance, or continues the party without this traveller.
 */
export async function handleSupportingDocumentSubmit(args: StepArgs) {
  const sent = await receiveStep('supporting_document', args, await readForm(args));
  if (sent.intent === 'next' && sent.entries.hasSupportingDocument === 'no') {
    const { country, draft, platform, language, headers } = sent;
    const document = travelDocumentNamed(sent.answers.documentType ?? '');
    if (draft.party && country && document) {
      return goTo(await leaveOut(platform, draft, { country, document }, language, true), headers);
    }
    return goTo(`/insurance?country=${sent.country?.code ?? ''}&undocumented=1`, sent.headers);
  }
  return answerStep('supporting_document', args, sent);
}
