import { toPlainDate, isMinor, parseDate, UTC } from '~/base/dates/dates.ts';
import { readVisaAnswers } from '../rules/typed.ts';
import { partyMembers } from '~/features/form/draft/party.server.ts';
import type { OpenedStep } from './wizard.server.ts';
import { fullName } from '~/features/application/full-name.ts';

/** Names of adults in the party, offered where a parent's name is asked. */
export async function parentsOffered({
  draft,
  platform,
}: Pick<OpenedStep, 'draft' | 'platform'>): Promise<string[]> {
  if (!draft?.party) return [];
  const others = (await partyMembers(platform, draft.party.id)).filter(({ id }) => id !== draft.id);
  const today = toPlainDate(platform.now(), UTC);
  const names = others.flatMap(({ content }) => {
    const answers = readVisaAnswers(content.typed);
    const name = fullName(answers);
    const birth = parseDate(answers.dateOfBirth ?? '');
    return name !== '' && birth && !isMinor(birth, today) ? [name] : [];
  });
  return [...new Set(names)];
}
