import { redirect } from 'react-router';
import {
  readFormAnswers,
  fieldControls,
  type FormName,
  type TypedAnswers,
} from '~/features/form/answers/controls.ts';
import { PARTY_COOKIE, type DraftForm } from '~/features/form/draft/draft-content.ts';
import { openDraft, type Draft, saveDraft } from '~/features/form/draft/draft.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readPosition, TRAVELLERS_PAGE } from '~/features/form/draft/party.ts';
import { mergeTyped, visaForm } from '../rules/typed.ts';
import { fields, questionByField } from '../rules/questions.ts';
import { stepById, steps } from '../rules/steps.ts';
import { randomUUID } from 'node:crypto';
import type { Outcome } from '~/base/outcome.ts';
import {
  addTraveller,
  partyMembers,
  switchForm,
  type PartyMember,
} from '~/features/form/draft/party.server.ts';
import { questionNames } from '~/features/insurance/rules/answers.ts';
import { insuranceForm } from '~/features/insurance/rules/typed.ts';

/** The wizard's drafts. */
export const visaDrafts: DraftForm = {
  name: 'visa',
  cookie: PARTY_COOKIE,
  paymentPath: () => stepById('review').url,
  // Who chose the processing type is no answer; the answer itself shows it.
  controlsOf: (step) =>
    (steps.find(({ id }) => id === step)?.fields ?? []).flatMap((field) =>
      fieldControls(visaForm, field),
    ),
  mergeTyped,
  begunAnew: (before, now) =>
    (before.countryId ?? '') === (now.countryId ?? '')
      ? []
      : ['supporting_document', 'arrival', 'prerequisites'],
  answersIn: (typed) => readFormAnswers(visaForm, typed),
  nationality: 'countryId',
  firstDay: 'arrivalDate',
};

/**
 * The draft of this browser; null where it has none or it has expired. In a party, the draft of the traveller in the
 * address, or else the browser's own.
 * @throws A redirect to the travellers where the address names one who was removed, so that nothing is written to
 * another's draft, or where it is of one who is insured alone; and to the page that says so where the draft continues
 * elsewhere.
 */
export async function openVisaDraft(platform: Platform, request: Request): Promise<Draft | null> {
  const draft = await openPartyDraft(platform, request);
  if (draft?.form === 'insurance') throw redirect(TRAVELLERS_PAGE, { status: 303 });
  return draft;
}

/** The same for a page that is no traveller's own: the draft may be of one who is insured alone. */
export async function openPartyDraft(platform: Platform, request: Request): Promise<Draft | null> {
  const position = readPosition(new URL(request.url).searchParams);
  const draft = await openDraft(visaDrafts, platform, request, position);
  const isOther = position !== null && position !== (draft?.party?.position ?? 1);
  if (draft?.applicationNumber === null && isOther) {
    throw redirect(TRAVELLERS_PAGE, { status: 303 });
  }
  return draft;
}

/**
 * Answers that travellers of one journey share: a new traveller begins with them, and may change all but the arrival.
 */
const takenOver: readonly string[] = fields
  .filter((field) => questionByField(field).isShared)
  .flatMap((field) => fieldControls(visaForm, field));

const commonOf = (typed: TypedAnswers) =>
  Object.fromEntries(
    takenOver.flatMap((control) => (typed[control] ? [[control, typed[control]]] : [])),
  );

const arrivalControls = fieldControls(visaForm, 'arrivalDate');

/** What of these answers an insurance asks as well. */
const insuredOf = (typed: TypedAnswers): TypedAnswers => ({
  ...Object.fromEntries(
    questionNames
      .flatMap((question) => fieldControls(insuranceForm, question))
      .flatMap((control) => (typed[control] ? [[control, typed[control]]] : [])),
  ),
  ...(typed.countryId && { nationality: typed.countryId }),
  ...Object.fromEntries(
    arrivalControls.flatMap((control) =>
      typed[control] ? [[control.replace('arrivalDate', 'travelDate'), typed[control]]] : [],
    ),
  ),
});

/**
 * Adds a traveller with the journey and contact of the first; returns their position. `form`: whether they apply for an
 * e-visa or are insured alone.
 */
export const addCompanion = (
  platform: Platform,
  partyId: string,
  language: string,
  form: FormName = 'visa',
): Promise<Outcome<number, 'full' | 'submitted'>> =>
  addTraveller(platform, partyId, { form, language }, (first) =>
    form === 'visa' ? commonOf(first) : insuredOf(commonOf(first)),
  );

/** Lets a traveller who needs no e-visa be insured in its place, with what they have answered so far. */
export const insureAlone = (
  platform: Platform,
  member: PartyMember,
  answers: Pick<TypedAnswers, 'countryId' | 'documentType'>,
): Promise<void> =>
  switchForm(platform, member, 'insurance', insuredOf({ ...member.content.typed, ...answers }));

/** Copies one traveller's arrival to all others of the party. */
export async function shareArrival(
  platform: Platform,
  request: Request,
  { party, content }: Draft,
  language: string,
): Promise<void> {
  if (!party) return;
  const entries = Object.fromEntries(
    arrivalControls.map((control) => [control, content.typed[control] ?? '']),
  );
  for (const other of await partyMembers(platform, party.id)) {
    const isSame = arrivalControls.every(
      (control) => (other.content.typed[control] ?? '') === entries[control],
    );
    if (isSame || other.form !== 'visa') continue;
    const page = randomUUID();
    const writing = {
      step: 'arrival',
      entries,
      page,
      seen: other.version,
      turn: 0,
      by: 'button',
    } as const;
    await saveDraft(visaDrafts, platform, request, other, writing, language);
  }
}
