import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { formatMoney } from '~/base/money.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { Facts, Panel } from '~/ui/card.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { CancelLink } from '../self-service/cancel-link.tsx';
import { PayBox } from '../status/pay-box.tsx';
import { SkippedDays } from '../closed-days/closed-days.tsx';
import { skippedByLatest } from '../closed-days/skipped-days.ts';
import { shownStatusOf } from '../status/shown-status.ts';
import type { StatusView } from '../status/status-view.ts';
import { SupportLine } from '../status/support-line.tsx';
import { byTraveller } from '../travellers.ts';
import { TravellerCard } from './traveller-card.tsx';

/** An order of several travellers: what it costs, then each traveller with what was applied for. */
export function OrderCard({
  everyone,
  picksDownload,
  supportEmail,
  otherWay,
}: {
  everyone: readonly StatusView[];
  /** Somebody came to download a document and has not chosen whose. */
  picksDownload: boolean;
  supportEmail: string;
  /** The other way to pay. */
  otherWay: ProviderName | null;
}) {
  const { t } = useTranslation('application');
  const language = useLanguage();
  const travellers = byTraveller(everyone);
  const unpaid = everyone.find((view) => shownStatusOf(view) === 'unpaid');
  const [first] = everyone;
  if (!first?.due) return null;
  return (
    <div className="mt-10 grid grid-cols-1 gap-7 print:mt-4">
      <Panel>
        <h2>{t('group.title', { count: travellers.length })}</h2>
        <Facts
          facts={[
            {
              term: t('group.order'),
              value: <NumberCode value={first.orderNumber} />,
              testId: 'application-number',
            },
            {
              term: t('fact.appliedOn'),
              value: formatDate(dateOf(first.createdAt, UTC), language),
            },
            {
              term: t('fact.payment'),
              value: (
                <Trans
                  components={{ total: <bdi data-testid="total" /> }}
                  i18nKey={`payment.${first.paymentStatus}`}
                  t={t}
                  values={{ amount: formatMoney(first.due, language) }}
                />
              ),
            },
          ]}
        />
        {unpaid?.due ? <PayBox due={unpaid.due} isOfAll other={otherWay} view={unpaid} /> : null}
        {everyone.some(({ cancellable }) => cancellable) ? (
          <div className="mt-4">
            <CancelLink number={first.orderNumber} />
          </div>
        ) : null}
        <OrderReceipts everyone={everyone} />
        <SupportLine className="text-small mt-6" email={supportEmail} number={first.orderNumber} />
      </Panel>
      <section>
        <h2 className="text-h2-card">{t('group.travellers')}</h2>
        <p className="mt-2 text-ink-2">{t(picksDownload ? 'group.pick' : 'group.share')}</p>
        <SkippedDays className="mt-5" days={skippedByLatest(everyone)} />
        <ul className="mt-5 grid grid-cols-1 gap-5">
          {travellers.map(({ position, applications }) => (
            <TravellerCard applications={applications} key={position} position={position} />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Receipts name the payer, so the payer's own page opens them, by the date of birth. */
function OrderReceipts({ everyone }: { everyone: readonly StatusView[] }) {
  const { t } = useTranslation('application');
  const payer = everyone.find(({ receipts }) => receipts.length > 0);
  if (!payer) return null;
  return (
    <section className="mt-6 border-t border-line pt-6 print:hidden">
      <h3 className="text-h3">{t('receipt.title')}</h3>
      <ul className="mt-2 grid justify-items-start gap-x-7 gap-y-2">
        {payer.receipts.map(({ id, kind, number }) => (
          <li key={id}>
            <ButtonLink
              icon="download"
              look="plain"
              to={`/status?ref=${payer.number}&download=${id}#dateOfBirth`}
            >
              {t(`receipt.${kind}`, { number })}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
