import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { Button } from '~/ui/button.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import type { OrderRefundView, OrderView } from './order-view.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** Every refund of the order, oldest first: lines, reason, who asked, and its state. */
export function OrderRefunds({ order, staff }: { order: OrderView; staff: Staff }) {
  const { t } = useTranslation('refund');
  return (
    <section className="desk-facts mt-7 scroll-mt-2">
      <h2>{t('refunds.title')}</h2>
      {order.refunds.length === 0 ? <p className="text-ink-2">{t('refunds.none')}</p> : null}
      <ol className="desk-history">
        {order.refunds.map((refund) => (
          <li id={`refund-${refund.id}`} key={refund.id}>
            <Refund refund={refund} several={order.applications.length > 1} />
            {refund.state === 'held' ? <HeldRefund refund={refund} staff={staff} /> : null}
            {refund.mayRetry && may(staff.role, 'release_refund') ? <Retry id={refund.id} /> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

const tones: Record<OrderRefundView['state'], StatusTone> = {
  held: 'amber',
  requested: 'blue',
  sent: 'blue',
  pending: 'blue',
  completed: 'green',
  failed: 'red',
  withdrawn: 'neutral',
};

export function RefundTag({ state }: { state: OrderRefundView['state'] }) {
  const { t } = useTranslation('refund');
  return <StatusTag tone={tones[state]}>{t(`state.${state}`)}</StatusTag>;
}

/** Final states of a refund. */
const ends = ['completed', 'failed', 'withdrawn'] as const;

function Refund({ refund, several }: { refund: OrderRefundView; several: boolean }) {
  const { t } = useTranslation(['refund', 'desk']);
  const language = useLanguage();
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  const { requestedBy, requestedByName, releasedAt, releasedByName } = refund;
  const end = ends.find((state) => state === refund.state);
  return (
    <>
      <p className="font-semibold text-ink">
        {formatMoney(refund.amount, language)} <RefundTag state={refund.state} />
      </p>
      <p>{t(`cause.${refund.cause}`)}</p>
      <ul className="my-1 grid gap-1 text-ink">
        {refund.lines.map((line) => (
          <li key={line.id}>
            {t('refunds.line', {
              item: t(`desk:detail.line.${line.code}`, line.code),
              amount: formatMoney(line.amount, language),
              reason: t(`reason.${line.reason}`),
            })}
            {line.reason === 'adjusted'
              ? ` ${t('refunds.proposed', { amount: formatMoney(line.proposed, language) })}`
              : null}
            {several ? (
              <bdi className="mono block text-ink-2" dir="ltr">
                {line.applicationNumber}
              </bdi>
            ) : null}
          </li>
        ))}
      </ul>
      {refund.note ? (
        <p className="whitespace-pre-line text-ink">
          {`${t('refunds.note')}: `}
          <bdi>{refund.note}</bdi>
        </p>
      ) : null}
      <p>
        {requestedBy === null
          ? t(refund.isByPayer ? 'refunds.byPayer' : 'refunds.bySystem', {
              moment: moment(refund.requestedAt),
            })
          : t('refunds.asked', {
              moment: moment(refund.requestedAt),
              name: requestedByName ?? '–',
            })}
      </p>
      {releasedAt ? (
        <p>{t('refunds.released', { moment: moment(releasedAt), name: releasedByName ?? '–' })}</p>
      ) : null}
      {refund.decidedAt && end ? (
        <p>{t(`refunds.${end}`, { moment: moment(refund.decidedAt) })}</p>
      ) : null}
      <RefundFailure failure={refund.failure} />
      {refund.transaction ? (
        <p className="mono">
          <bdi dir="ltr">{refund.transaction}</bdi>
        </p>
      ) : null}
    </>
  );
}

/** The provider's reason for refusing a refund; nothing where it did not. */
export function RefundFailure({ failure }: { failure: string | null }) {
  const { t } = useTranslation('refund');
  if (!failure) return null;
  return (
    <p className="whitespace-pre-line text-ink">
      {`${t('refunds.failure')}: `}
      <bdi dir="ltr">{failure}</bdi>
    </p>
  );
}

/** Retries a refund that the provider did not make, with the same sums. */
export function Retry({ id }: { id: string }) {
  const { t } = useTranslation('refund');
  return (
    <Form className="mt-2 mb-1" method="post" preventScrollReset>
      <input name="refund" type="hidden" value={id} />
      <Button look="secondary" name="intent" small value="retry">
        {t('refunds.retry')}
      </Button>
    </Form>
  );
}

/** A held refund. Nobody releases their own; it can be withdrawn by who asked for it and by those who may release. */
function HeldRefund({ refund, staff }: { refund: OrderRefundView; staff: Staff }) {
  const { t } = useTranslation('refund');
  const isOwn = refund.requestedBy === staff.id;
  const mayRelease = may(staff.role, 'release_refund');
  if (!isOwn && !mayRelease) return <p className="text-ink-2">{t('refunds.waits')}</p>;
  return (
    <Form
      className="mt-2 mb-1 grid auto-cols-auto grid-flow-col items-center justify-start gap-2.5"
      method="post"
      preventScrollReset
    >
      <input name="refund" type="hidden" value={refund.id} />
      {mayRelease && !isOwn ? (
        <Button name="intent" small value="release">
          {t('refunds.release')}
        </Button>
      ) : (
        <p className="text-ink-2">{t('refunds.waits')}</p>
      )}
      <Button look="secondary" name="intent" small value="withdraw">
        {t('refunds.withdraw')}
      </Button>
    </Form>
  );
}
