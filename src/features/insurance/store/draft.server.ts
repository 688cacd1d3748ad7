import { readFormAnswers, fieldControls } from '~/features/form/answers/controls.ts';
import { redirect } from 'react-router';
import { PARTY_COOKIE, type DraftForm } from '~/features/form/draft/draft-content.ts';
import { openDraft, type Draft } from '~/features/form/draft/draft.server.ts';
import { readPosition, TRAVELLERS_PAGE } from '~/features/form/draft/party.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { questionNames } from '../rules/answers.ts';
import { insuranceForm } from '../rules/typed.ts';

/** All questions are on one page. */
export const STEP = 'form';

/** The insurance form's drafts. */
export const insuranceDrafts: DraftForm = {
  name: 'insurance',
  cookie: 'lale_insurance',
  paymentPath: (number) => `/insurance/payment?ref=${number}`,
  controlsOf: () => questionNames.flatMap((question) => fieldControls(insuranceForm, question)),
  mergeTyped: (before, entries) => ({ ...before, ...entries }),
  begunAnew: () => [],
  // The plan's label is a question.
  answersIn: (typed) => ({ ...readFormAnswers(insuranceForm, typed), productId: '' }),
  nationality: 'nationality',
  firstDay: 'travelDate',
};

/** The drafts of those who are insured alone in a party: it is opened, resumed and paid by the pages of e-visas. */
const companionDrafts: DraftForm = {
  ...insuranceDrafts,
  name: 'visa',
  cookie: PARTY_COOKIE,
  paymentPath: () => TRAVELLERS_PAGE,
  // An e-mailed link names answers by the labels of e-visas.
  answersIn: (typed) => {
    const {
      nationality: _,
      travelDate: __,
      returnDate: ___,
      ...answers
    } = insuranceDrafts.answersIn(typed);
    return answers;
  },
};

/** The drafts of the page at an address: of the traveller whom it names, or of somebody alone. */
export const insuranceDraftsAt = ({ url }: Pick<Request, 'url'>): DraftForm =>
  readPosition(new URL(url).searchParams) === null ? insuranceDrafts : companionDrafts;

/**
 * The draft of the page at an address; null where this browser has none for somebody alone.
 * @throws A redirect to the travellers where the address names one who was removed or applies for an e-visa; and to the
 * page that says so where the draft continues elsewhere.
 */
export async function openInsuranceDraft(
  platform: Platform,
  request: Request,
): Promise<Draft | null> {
  const position = readPosition(new URL(request.url).searchParams);
  const draft = await openDraft(insuranceDraftsAt(request), platform, request, position);
  const isNamed = draft?.form === 'insurance' && draft.party?.position === position;
  if (position !== null && !draft?.applicationNumber && !isNamed) {
    throw redirect(TRAVELLERS_PAGE, { status: 303 });
  }
  return draft;
}
