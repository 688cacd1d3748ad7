import type { SentLetter } from '~/features/application/email-store.server.ts';
import { maskEmail } from './mask-email.ts';

export type LetterState = 'sent' | 'failed' | 'queued';

export const stateOf = ({ sentAt, failure }: Pick<SentLetter, 'sentAt' | 'failure'>): LetterState =>
  sentAt ? 'sent' : failure ? 'failed' : 'queued';

/** What the desk shows of an e-mail in a list. */
export function viewLetter(letter: SentLetter, nameOf: (id: string) => string) {
  const { id, kind, content, createdAt, sentAt, failedAt, failure, resentFrom, staffId } = letter;
  return {
    id,
    kind,
    state: stateOf(letter),
    /** Of its state: when it left, when it failed last, or since when it is on its way. */
    at: sentAt ?? failedAt ?? createdAt,
    createdAt,
    failure,
    to: content && maskEmail(content.to),
    subject: content?.subject ?? null,
    /** Who asked for it to be sent again; null for a first one. */
    resentBy: resentFrom && staffId ? nameOf(staffId) : null,
  };
}

export type LetterView = ReturnType<typeof viewLetter>;
