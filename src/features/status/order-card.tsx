import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { toPlainDate, formatDate, UTC } from '~/base/dates/dates.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { formatMoney } from '~/base/money.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { Facts, Panel } from '~/ui/card.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { CancelLink } from './status-card.tsx';
import { PayBox, SupportLine, StatusTags } from './status-parts.tsx';
import { SkippedDays } from '~/features/application/closed-days.tsx';
import { skippedClosedDays } from '~/features/application/skipped-days.ts';
import { visibleStatus, documentKind, type StatusView } from './status-view.ts';
import { byTraveller } from '~/features/application/travellers.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { changePath } from '~/features/order/payer/payer-links.ts';
import { Link } from '~/ui/page/link.tsx';
import { fullName } from '~/features/application/full-name.ts';
import { Moment } from '~/ui/moment.tsx';
import { formatReadyMoment } from '~/features/application/promised.ts';

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
  const unpaid = everyone.find((view) => visibleStatus(view) === 'unpaid');
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
              value: formatDate(toPlainDate(first.createdAt, UTC), language),
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
        <SupportLine className="text-small mt-6" email={supportEmail} />
      </Panel>
      <section>
        <h2 className="text-h2-card">{t('group.travellers')}</h2>
        <p className="mt-2 text-ink-2">{t(picksDownload ? 'group.pick' : 'group.share')}</p>
        <SkippedDays className="mt-5" days={skippedClosedDays(everyone)} />
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

/** One traveller of an order: e-visa and insurance, each with its number, status and next step. */
function TravellerCard({
  position,
  applications,
}: {
  position: number;
  applications: readonly StatusView[];
}) {
  const { t } = useTranslation('application');
  const [first] = applications;
  if (!first) return null;
  const name = fullName(first);
  const headingId = `traveller-${position}`;
  return (
    <li
      className="rounded-card border border-line-2 bg-paper p-5 wide:p-8"
      data-testid={`traveller-${position}`}
    >
      <p className="text-small text-ink-2">{t('group.traveller', { position })}</p>
      <h3 className="text-h3 wrap-anywhere" id={headingId}>
        <bdi>{name}</bdi>
      </h3>
      <ul className="mt-4 grid grid-cols-1 gap-5">
        {applications.map((view) => (
          <li className="border-t border-line pt-4" key={view.number}>
            <TravellerApplication headingId={headingId} view={view} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function TravellerApplication({ view, headingId }: { view: StatusView; headingId: string }) {
  const { t } = useTranslation('application');
  const shownStatus = visibleStatus(view);
  const isWaiting = shownStatus === 'pending' || shownStatus === 'processing';
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <span className="font-semibold">{t(`kind.${view.kind}`)}</span>
        <Link className="inline-flex min-h-11 items-center" to={`/status?ref=${view.number}`}>
          <NumberCode value={view.number} />
        </Link>
        <span className="flex flex-wrap gap-2">
          <StatusTags view={view} />
        </span>
      </div>
      <p className="mt-2 text-ink-2 [&_strong]:text-ink">
        <StateSentence view={view} />{' '}
        {isWaiting && view.promisedAt ? (
          <Trans
            components={{
              promise: <Moment at={view.promisedAt} />,
              moment: <Moment at={view.promisedAt} />,
            }}
            i18nKey={view.isMissed ? 'late.waiting' : formatReadyMoment(view)}
            t={t}
          />
        ) : null}
      </p>
      {view.document ? (
        <div className="mt-3">
          <ButtonLink
            aria-describedby={headingId}
            className="max-wide:w-full"
            icon="download"
            look="secondary"
            small
            to={`/status?ref=${view.number}&download=yes#dateOfBirth`}
          >
            {t(`download.${documentKind(view)}`)}
          </ButtonLink>
        </div>
      ) : null}
      {/* An insurance beside an e-visa is changed together with the e-visa. */}
      {shownStatus === 'unpaid' && (view.kind === 'visa' || view.beside.length === 0) ? (
        <ButtonLink
          aria-describedby={headingId}
          look="plain"
          to={changePath(view.number, view.orderNumber)}
        >
          {t('group.change')}
        </ButtonLink>
      ) : null}
    </>
  );
}

function StateSentence({ view }: { view: StatusView }) {
  const { t } = useTranslation('application');
  const language = useLanguage();
  const day = view.cancelledAt ?? view.correction?.until ?? view.decidedAt;
  const date = day ? formatDate(toPlainDate(day, UTC), language) : '';
  return t(`group.state.${stateOf(view)}`, { date });
}

function stateOf(view: StatusView): CodeIn<'application', 'group.state'> {
  if (view.cancelledAt) return 'withdrawn';
  const shownStatus = visibleStatus(view);
  const isInsurance = view.kind === 'insurance';
  if (shownStatus === 'approved') {
    if (!view.document) return 'approvedWithoutFile';
    return isInsurance ? 'approvedInsurance' : 'approved';
  }
  if (shownStatus === 'rejected' && view.rejection?.code === 'withdrawn') return 'withdrawn';
  if (isInsurance && (shownStatus === 'pending' || shownStatus === 'processing')) {
    return 'pendingInsurance';
  }
  return shownStatus;
}
