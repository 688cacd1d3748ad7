import type { TextKey } from '~/base/text-keys.ts';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { dateOf, formatDate, parseDate, UTC } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { Facts } from '~/ui/card.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { StatusView } from './status-view.ts';
import { fullName } from '../full-name.ts';

/** The fields that the specification names under "Status result". */
export function StatusFacts({ view }: { view: StatusView }) {
  const { t } = useTranslation('application');
  const language = useLanguage();
  const starts = parseDate(view.startsOn);
  const isVisa = view.kind === 'visa';
  return (
    <div className="mt-6 border-t border-line pt-6 max-wide:pt-2">
      <Facts
        facts={[
          {
            term: t('fact.number'),
            value: <NumberCode value={view.number} />,
            testId: 'application-number',
          },
          ...view.beside.map(({ kind, number }) => ({
            term: t(`beside.${kind}`),
            value: (
              <Link to={`/status?ref=${number}`}>
                <NumberCode value={number} />
              </Link>
            ),
            testId: `beside-${kind}`,
          })),
          {
            term: t('fact.applicant'),
            value: <bdi>{fullName(view)}</bdi>,
          },
          {
            term: t('fact.appliedOn'),
            value: formatDate(dateOf(view.createdAt, UTC), language),
          },
          {
            term: t(isVisa ? 'fact.arrivalDate' : 'fact.travelDate'),
            value: starts ? formatDate(starts, language) : view.startsOn,
          },
          {
            term: t(isVisa ? 'fact.processing' : 'fact.plan'),
            value: t(`service.${view.service}`, { defaultValue: view.service }),
          },
          {
            term: t('fact.payment'),
            value: (
              <Trans
                components={{ total: <bdi data-testid="total" /> }}
                i18nKey={`payment.${view.paymentStatus}`}
                t={t}
                values={{ amount: formatMoney(view.total, language) }}
              />
            ),
          },
          ...(view.returned.done.minor > 0
            ? [
                {
                  term: t('fact.refunded'),
                  value: <bdi>{formatMoney(view.returned.done, language)}</bdi>,
                  testId: 'refunded',
                },
              ]
            : []),
          ...(view.returned.coming.minor > 0
            ? [
                {
                  term: t('fact.refundComing'),
                  value: <bdi>{formatMoney(view.returned.coming, language)}</bdi>,
                },
              ]
            : []),
          {
            term: t('fact.transaction'),
            value: view.transactionId ?? t('fact.none'),
            mono: view.transactionId !== null,
          },
          {
            term: t('fact.document'),
            value: t(documentKey(view)),
          },
        ]}
      />
    </div>
  );
}

/** Of an application that has ended there will be none. */
function documentKey({
  document,
  status,
  cancelledAt,
  closed,
}: StatusView): TextKey<'application'> {
  if (document) return 'fact.documentReady';
  const isOver = status === 'rejected' || cancelledAt !== null || closed;
  return isOver ? 'fact.documentOver' : 'fact.documentNone';
}
