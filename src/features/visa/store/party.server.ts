import { randomUUID } from 'node:crypto';
import type { Outcome } from '~/base/outcome.ts';
import { controlsOf, type Typed } from '~/features/form/answers/controls.ts';
import { saveDraft, type Draft } from '~/features/form/draft/draft.server.ts';
import { addTraveller, partyMembers } from '~/features/form/draft/party.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { visaForm } from '../rules/typed.ts';
import { visaDrafts } from './draft.server.ts';

/**
 * Answers that travellers of one journey share: a new traveller begins with them, and may change all but the arrival.
 */
const takenOver: readonly string[] = [
  ...(['arrivalDate', 'purpose', 'email', 'phone', 'address'] as const),
].flatMap((field) => controlsOf(visaForm, field));

const commonOf = (typed: Typed) =>
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

const arrivalControls = controlsOf(visaForm, 'arrivalDate');

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
