import type { Language } from '~/base/languages.ts';
import { noteFor } from '~/features/catalog/notes.ts';
import { eligibility } from '~/features/catalog/eligibility.ts';
import { travelDocumentNamed, type TravelDocument } from '~/features/catalog/regime.ts';
import type { Draft } from '~/features/form/draft/draft.server.ts';
import { removeTraveller } from '~/features/form/draft/party.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { forTraveller, TRAVELLERS_PAGE } from '../party.ts';
import { stepOf } from '../rules/steps.ts';
import type { ChosenCountry, LeftOut } from '../parts/step-view.ts';
import { addCompanion } from '../store/draft.server.ts';
import { chosenCountry } from './wizard.server.ts';

/** Why a traveller of an e-visa nationality is left out: no supporting document, or an age that needs no visa. */
const reasonsBeside = ['undocumented', 'exempt'] as const;
type ReasonBeside = (typeof reasonsBeside)[number];

/** The traveller left out before this page, as its address says; null for nobody. */
export async function leftOutIn(
  query: URLSearchParams,
  platform: Platform,
  language: Language,
): Promise<LeftOut | null> {
  const document = travelDocumentNamed(query.get('document') ?? '');
  const code = query.get('without') ?? '';
  const country = /^[A-Z]{3}$/.test(code) ? await chosenCountry(platform, code, language) : null;
  if (!country || !document) return null;
  const granted = eligibility(country, document);
  const why = reasonsBeside.find((one) => query.has(one));
  const isBeside = granted.regime === 'evisa_with_document' && why !== undefined;
  if (granted.regime !== 'visa_free' && granted.regime !== 'no_evisa' && !isBeside) return null;
  const note = why === 'exempt' ? noteFor(country) : undefined;
  return { country: country.name, eligibility: granted, ...(note && { note }) };
}

/**
 * Deletes the draft of a traveller who is left out of a party; returns where the party continues. The only traveller so
 * far is replaced by another.
 */
export async function leaveOut(
  platform: Platform,
  draft: Pick<Draft, 'party'> | null,
  { country, document }: { country: ChosenCountry; document: TravelDocument },
  language: Language,
  why: ReasonBeside | null = null,
): Promise<string> {
  const about = new URLSearchParams({ without: country.code, document });
  if (why) about.set(why, '1');
  const { url } = stepOf('nationality');
  const party = draft?.party;
  if (!party) return `${url}?party=group&countryId=&documentType=ordinary&${about}`;
  const isLast = party.positions.length === 1;
  const added = isLast ? await addCompanion(platform, party.id, language) : null;
  await removeTraveller(platform, party.id, party.position);
  return added?.ok
    ? forTraveller(`${url}?${about}`, { position: added.value })
    : `${TRAVELLERS_PAGE}?${about}`;
}
