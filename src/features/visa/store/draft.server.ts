import { redirect } from 'react-router';
import { answersIn, controlsOf } from '~/features/form/answers/controls.ts';
import type { DraftForm } from '~/features/form/draft/draft-content.ts';
import { openDraft, type Draft } from '~/features/form/draft/draft.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { positionIn, TRAVELLERS_PAGE } from '../party.ts';
import { mergeTyped } from '../rules/merge-typed.ts';
import { stepOf, steps } from '../rules/steps.ts';
import { visaForm } from '../rules/typed.ts';

/** The wizard's drafts. */
export const visaDrafts: DraftForm = {
  name: 'visa',
  cookie: 'lale_draft',
  paymentPath: () => stepOf('review').url,
  // Who chose the processing type is no answer; the answer itself shows it.
  controlsOf: (step) =>
    (steps.find(({ id }) => id === step)?.fields ?? []).flatMap((field) =>
      controlsOf(visaForm, field),
    ),
  mergeTyped,
  begunAnew: (before, now) =>
    (before.countryId ?? '') === (now.countryId ?? '')
      ? []
      : ['supporting_document', 'arrival', 'prerequisites'],
  answersIn: (typed) => answersIn(visaForm, typed),
  nationality: 'countryId',
  firstDay: 'arrivalDate',
};

/**
 * The draft of this browser; null where it has none or it has expired. In a party, the draft of the traveller in the
 * address, or else the browser's own.
 * @throws A redirect to the travellers where the address names one who was removed, so that nothing is written to
 * another's draft; and to the page that says so where the draft continues elsewhere.
 */
export async function openVisaDraft(platform: Platform, request: Request): Promise<Draft | null> {
  const position = positionIn(new URL(request.url).searchParams);
  const draft = await openDraft(visaDrafts, platform, request, position);
  const isOther = position !== null && position !== (draft?.party?.position ?? 1);
  if (draft?.applicationNumber === null && isOther) {
    throw redirect(TRAVELLERS_PAGE, { status: 303 });
  }
  return draft;
}
