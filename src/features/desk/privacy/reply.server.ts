import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Chosen } from '~/features/desk/personal-data/chosen.ts';
import type { PrivacyCase } from '~/features/desk/privacy-cases/case-store.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';

type Facts = {
  found: Pick<PrivacyCase, 'kind' | 'law' | 'arrivedOn' | 'erasedAt'>;
  own: Chosen;
  hasNothing: boolean;
  /** Whether an insurance stayed. */
  keepsInsurance: boolean;
  years: { ledger: number; insurance: number; request: number };
  operatorName: string;
};

/**
 * A reply to begin with, in the person's language: what was done, what stays by which law and how long (GDPR, art. 12(1)
 * and (4); Law No. 6698, art. 13), and where to complain. Null before it can be said: an erasure that is not done.
 */
export function replyOf(facts: Facts, language: Language): string | null {
  const { found, own, hasNothing, keepsInsurance, years, operatorName } = facts;
  const { kind, law, arrivedOn, erasedAt } = found;
  const t = textsIn(language, 'personal-data');
  const asked = formatDate(arrivedOn, language);
  const end = [
    t('reply.proof', { years: String(years.request) }),
    t(law === 'kvkk' ? 'reply.complainKvkk' : 'reply.complainGdpr'),
    operatorName,
  ];
  const begin = [t('reply.greeting'), t(`reply.${kind}`, { day: asked })];
  if (hasNothing) return [...begin, t('reply.nothing'), ...end].join('\n\n');
  if (kind === 'access') return [...begin, t('reply.copy'), ...end].join('\n\n');
  if (kind === 'correction') return [...begin, t('reply.corrected'), ...end].join('\n\n');
  if (!erasedAt) return null;
  const keepsLedger = own.orderIds.length + own.applicationIds.length > 0;
  return [
    ...begin,
    t('reply.erased', { day: formatDate(dateOf(erasedAt, UTC), language) }),
    ...(keepsLedger ? [t('reply.ledger', { years: String(years.ledger) })] : []),
    ...(keepsInsurance ? [t('reply.insurance', { years: String(years.insurance) })] : []),
    t('reply.backups'),
    ...end,
  ].join('\n\n');
}
