import { redirect } from 'react-router';
import {
  readFormAnswers,
  fieldControls,
  type TypedAnswers,
} from '~/features/form/answers/controls.ts';
import type { DraftForm } from '~/features/form/draft/draft-content.ts';
import { openDraft, type Draft, saveDraft } from '~/features/form/draft/draft.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { readPosition, TRAVELLERS_PAGE } from '~/features/form/draft/party.ts';
import { mergeTyped, visaForm } from '../rules/typed.ts';
import { fields, questionByField } from '../rules/questions.ts';
import { stepById, steps } from '../rules/steps.ts';
import { randomUUID } from 'node:crypto';
import type { Outcome } from '~/base/outcome.ts';
import { addTraveller, partyMembers } from '~/features/form/draft/party.server.ts';

/** The wizard's drafts. */
export const visaDrafts: DraftForm = {
  name: 'visa',
  cookie: 'lale_draft',
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
 * another's draft; and to the page that says so where the draft continues elsewhere.
 */
export async function openVisaDraft(platform: Platform, request: Request): Promise<Draft | null> {
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

/** Adds a traveller with the journey and contact of the first; returns their position. */
export const addCompanion = (
  platform: Platform,
  partyId: string,
  language: string,
): Promise<Outcome<number, 'full' | 'submitted'>> =>
  addTraveller(platform, partyId, language, commonOf);

const arrivalControls = fieldControls(visaForm, 'arrivalDate');

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
    if (isSame) continue;
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
