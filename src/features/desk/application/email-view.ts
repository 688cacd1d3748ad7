import type { Translate } from '~/base/read-text.ts';
import type { Email } from '~/features/email/ledger/store.server.ts';

export type EmailState = 'sent' | 'failed' | 'queued';

export const stateOf = ({ sentAt, failure }: Pick<Email, 'sentAt' | 'failure'>): EmailState =>
  sentAt ? 'sent' : failure ? 'failed' : 'queued';

/** What the desk shows of an email in a list. */
export function viewEmail(email: Email, nameOf: (id: string) => string, t: Translate<'email'>) {
  const { id, kind, content, language, createdAt, sentAt, failedAt, failure, resentFrom, staffId } =
    email;
  return {
    id,
    kind,
    kindName: t(`kind.${kind}`, kind),
    state: stateOf(email),
    /** The moment of its state: sent, failed last, or queued. */
    at: sentAt ?? failedAt ?? createdAt,
    createdAt,
    failure,
    to: content && maskEmail(content.to),
    subject: content?.subject ?? null,
    /** Of the subject. */
    language,
    /** Who had it sent again; null for an original. */
    resentBy: resentFrom && staffId ? nameOf(staffId) : null,
  };
}

export type EmailView = ReturnType<typeof viewEmail>;

/** An email address that its owner recognises and others cannot read: "t•••o@example.org". */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 1) return '•••';
  const name = Array.from(address.slice(0, at));
  const last = name.length > 2 ? name.at(-1) : '';
  return `${name[0] ?? ''}•••${last ?? ''}${address.slice(at)}`;
}
