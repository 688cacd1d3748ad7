import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect, Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { readNumber } from '~/features/application/number.ts';
import { DoneMessage } from '../frame/announcer.tsx';
import { actOnGroup, isGroupForm, type GroupAnswer } from '../several/decide-several.server.ts';
import { undoCookie } from '../application/undo-record.server.ts';
import { GroupSection } from '../several/group-section.tsx';
import { useLiveGroup } from '../frame/live-desk.tsx';
import { openGroup } from '../several/open-group.server.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import {
  describeOrder,
  type OrderView,
  type OrderRefundView,
  type RefundErrorCode,
  type RefundFormState,
  actOnOrder,
  openForm,
} from './order.server.ts';
import { RefundPanel, RefundTag } from './refund-panel.tsx';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { auditViews } from '~/features/staff/audit.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { Notice } from '~/ui/notice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import type { Route } from './+types/order.ts';
import { Link } from '~/ui/page/link.tsx';
import { reasonKey } from '~/features/order/result/stopped.ts';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';
import { Button } from '~/ui/button.tsx';

const Facts = ({ id, title, children }: { id?: string; title: string; children: ReactNode }) => (
  <section className="desk-facts mt-7 scroll-mt-2">
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** Every refund of the order, oldest first: lines, reason, who asked, and its state. */
function OrderRefunds({ order }: { order: OrderView }) {
  const { t } = useTranslation('refund');
  return (
    <Facts title={t('refunds.title')}>
      {order.refunds.length === 0 ? <p className="text-ink-2">{t('refunds.none')}</p> : null}
      <ol className="desk-history">
        {order.refunds.map((refund) => (
          <li id={`refund-${refund.id}`} key={refund.id}>
            <Refund refund={refund} several={order.applications.length > 1} />
            {refund.state === 'held' ? <HeldRefund refund={refund} /> : null}
            {refund.mayRetry ? <Retry id={refund.id} /> : null}
          </li>
        ))}
      </ol>
    </Facts>
  );
}

/** Final states of a refund. */
const ends = ['completed', 'failed', 'withdrawn'] as const;

function Refund({ refund, several }: { refund: OrderRefundView; several: boolean }) {
  const { t, language } = useTranslation(['refund', 'desk']);
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
function RefundFailure({ failure }: { failure: string | null }) {
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
function Retry({ id }: { id: string }) {
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

/** A refund that waits for its release. */
function HeldRefund({ refund }: { refund: OrderRefundView }) {
  const { t } = useTranslation('refund');
  const waits = <p className="text-ink-2">{t('refunds.waits')}</p>;
  if (!refund.mayWithdraw) return waits;
  return (
    <Form
      className="mt-2 mb-1 grid auto-cols-auto grid-flow-col items-center justify-start gap-2.5"
      method="post"
      preventScrollReset
    >
      <input name="refund" type="hidden" value={refund.id} />
      {refund.mayRelease ? (
        <Button name="intent" small value="release">
          {t('refunds.release')}
        </Button>
      ) : (
        waits
      )}
      <Button look="secondary" name="intent" small value="withdraw">
        {t('refunds.withdraw')}
      </Button>
    </Form>
  );
}

const doneWords = ['opened', 'held', 'released', 'withdrawn', 'retried'] as const;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { staff, platform, language, record } = await requireDesk({ request, context });
  const found = await findOrder(platform, params.number);
  await record('order_viewed', ['order', found.id]);
  const [group, order] = await Promise.all([
    openGroup(platform, staff, found, language),
    describeOrder(platform.db, found, staff, platform.now()),
  ]);
  await auditViews(platform.db, staff, group?.view.ids ?? [], platform.now());
  const query = new URL(request.url).searchParams;
  const bought = order.applications.filter(({ hasLeft }) => !hasLeft);
  return {
    order,
    done: doneWords.find((word) => word === query.get('done')) ?? null,
    group,
    now: platform.now().getTime(),
    form: may(staff.role, 'refund') ? await openForm(platform, found, query, bought) : null,
  };
}

async function findOrder(platform: Platform, named: string): Promise<Order> {
  const read = readNumber(named);
  const found = read.ok ? await orderByNumber(platform.db, read.number) : null;
  if (!found) throw data(null, { status: 404 });
  return found;
}

type Answer = {
  form: RefundFormState | null;
  refused: RefundErrorCode | null;
  group: GroupAnswer | null;
};

export async function action({ request, context, params }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const found = await findOrder(platform, params.number);
  const sent = await readForm({ request, context });
  const answer = (fields: Partial<Answer>, status: number, more: Record<string, string> = {}) =>
    data<Answer>({ form: null, refused: null, group: null, ...fields }, { status, headers: more });
  if (isGroupForm(sent)) {
    const payments = context.get(paymentsContext);
    const done = await actOnGroup(platform, payments, staff, { order: found, form: sent });
    const isDecided = done.answer.outcomes.some((one) => 'done' in one);
    return answer(
      { group: done.answer },
      done.status,
      isDecided ? undoCookie(platform, staff) : {},
    );
  }
  const result = await actOnOrder(platform, staff, found, sent);
  if (result.kind === 'done') {
    const query = new URLSearchParams({ done: result.word });
    return redirect(`/admin/orders/${found.number}?${query}#refund-${result.refundId}`);
  }
  return result.kind === 'form'
    ? answer({ form: result.state }, result.status)
    : answer({ refused: result.code }, result.status);
}

export default function OrderPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('refund');
  const { order, done, group, now } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const latest = useLiveGroup({ group, now });
  const refused = actionData?.refused ?? null;
  const isWrong = refused !== null || Boolean(form?.problem) || Boolean(actionData?.group?.error);
  const title = t('title', { number: order.number });
  return (
    <DeskPage
      // As the travellers below, made anew for each order: what was typed for one is not about the next.
      panel={form ? <RefundPanel key={order.number} order={order} state={form} /> : undefined}
    >
      <title>{`${isWrong ? `${t('error.title')}: ` : ''}${title} – Lale`}</title>
      <h1>
        {t('heading')} <NumberCode testId="application-number" value={order.number} />
      </h1>
      <Paid order={order} />
      {done && !actionData ? <DoneMessage className="mt-4">{t(`done.${done}`)}</DoneMessage> : null}
      {refused ? (
        <Notice className="mt-4" role="alert" title={t('error.title')} tone="red">
          {t(`error.${refused}`)}
        </Notice>
      ) : null}
      {group ? (
        <GroupSection
          key={order.number}
          answer={actionData?.group ?? null}
          latest={latest?.value.view ?? group.view}
          loaded={group.view}
          madeAt={latest?.at ?? now}
        />
      ) : null}
      <OrderLines order={order} />
      <OrderRefunds order={order} />
      <OrderAttempts order={order} />
      <OrderReceipts order={order} />
    </DeskPage>
  );
}

function Paid({ order: { paidAt, closedAt, total, refunded } }: { order: OrderView }) {
  const { t, language } = useTranslation('refund');
  const amount = formatMoney(total, language);
  if (!paidAt)
    return <p className="mt-1 text-ink-2">{t(closedAt ? 'closed' : 'unpaid', { amount })}</p>;
  const moment = formatMoment(paidAt, language, UTC, 'dated');
  return (
    <p className="mt-1 text-ink-2">
      {t('paid', { amount, moment })}
      {refunded.minor > 0 ? (
        <>
          {' · '}
          <strong>{t('refunded', { amount: formatMoney(refunded, language) })}</strong>
        </>
      ) : null}
    </p>
  );
}

/** The lines of the order by application, and how much of each was refunded or is on its way. */
function OrderLines({ order }: { order: OrderView }) {
  const { t, language } = useTranslation(['refund', 'desk']);
  return (
    <Facts title={t('lines.title')}>
      <table className="desk-table mt-2.5 [&_:is(th,td)+*]:text-end [&_:is(th,td)+*]:tabular-nums [&_:is(th,td)+td]:whitespace-nowrap">
        <thead>
          <tr>
            <th className="w-1/2" scope="col">
              {t('lines.item')}
            </th>
            <th scope="col">{t('lines.paid')}</th>
            <th scope="col">{t('lines.back')}</th>
          </tr>
        </thead>
        {order.applications.map(({ number, status, name }) => (
          <tbody key={number}>
            <tr>
              <th className="border-line-2 pt-3.5 pb-1.5 leading-6" colSpan={3} scope="rowgroup">
                <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5 [&_.number-code]:text-fine">
                  <Link className="desk-link" to={`/admin/applications/${number}#application`}>
                    <NumberCode value={number} />
                  </Link>
                  <bdi>{name}</bdi>
                  <ApplicationStatusTag status={status} />
                </span>
              </th>
            </tr>
            {order.lines
              .filter((line) => line.applicationNumber === number)
              .map((line) => (
                <tr key={line.id}>
                  <td>{t(`desk:detail.line.${line.code}`, line.code)}</td>
                  <td>{formatMoney(line.amount, language)}</td>
                  <td>{line.claimed.minor > 0 ? formatMoney(line.claimed, language) : '–'}</td>
                </tr>
              ))}
          </tbody>
        ))}
        <tfoot>
          <tr className="*:border-y *:border-line-2 *:text-[0.875rem] *:font-semibold *:text-ink">
            <th scope="row">{t('lines.total')}</th>
            <td data-testid="total">{formatMoney(order.total, language)}</td>
            <td data-testid="claimed">{formatMoney(order.claimed, language)}</td>
          </tr>
        </tfoot>
      </table>
    </Facts>
  );
}

/** One payment attempt with the provider's events. The children are its refunds. */
function AttemptItem({
  attempt,
  children,
}: {
  attempt: OrderView['attempts'][number];
  children: ReactNode;
}) {
  const { t, language } = useTranslation(['refund', 'desk', 'payment']);
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  const { state, provider, amount, reason, transaction, createdAt, events } = attempt;
  return (
    <li>
      <p className="font-semibold text-ink">{t(`desk:detail.attemptState.${state}`)}</p>
      <p>
        {t('desk:detail.attemptValue', {
          amount: formatMoney(amount, language),
          provider: t(`desk:detail.provider.${provider}`, provider),
          moment: moment(createdAt),
        })}
      </p>
      {reason ? (
        <p>
          {t(`payment:reason.${reasonKey(reason)}`)}{' '}
          <bdi className="mono" dir="ltr">
            {reason}
          </bdi>
        </p>
      ) : null}
      {transaction ? (
        <p>
          {t('desk:detail.transaction')}{' '}
          <bdi className="mono" dir="ltr">
            {transaction}
          </bdi>
        </p>
      ) : null}
      {children}
      {events.length > 0 ? (
        <details className="desk-more">
          <summary>{t('attempts.events', { count: events.length })}</summary>
          <ul>
            {events.map(({ id, event, at, result }) => (
              <li className="py-1" key={id}>
                <span className="mono">
                  <bdi dir="ltr">{`${event} → ${result}`}</bdi>
                </span>{' '}
                {moment(at)}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  );
}

/** Every payment attempt of the order with the provider's answer. */
function OrderAttempts({ order }: { order: OrderView }) {
  const { t, language } = useTranslation(['refund', 'desk']);
  return (
    <Facts title={t('desk:detail.attempts')}>
      {order.attempts.length === 0 ? (
        <p className="text-ink-2">{t('desk:detail.noAttempts')}</p>
      ) : null}
      <ol className="desk-history">
        {order.attempts.map((attempt) => (
          <AttemptItem attempt={attempt} key={attempt.id}>
            {attempt.refunds.map((refund) => (
              <div id={`refund-${refund.id}`} key={refund.id}>
                <p>
                  {t('attempts.late', { amount: formatMoney(refund.amount, language) })}{' '}
                  <RefundTag state={refund.state} />
                </p>
                <RefundFailure failure={refund.failure} />
                {refund.mayRetry ? <Retry id={refund.id} /> : null}
              </div>
            ))}
          </AttemptItem>
        ))}
      </ol>
    </Facts>
  );
}

/** Receipts and credit notes, as they were issued. */
function OrderReceipts({ order }: { order: OrderView }) {
  const { t, language } = useTranslation('refund');
  if (order.receipts.length === 0) return null;
  return (
    <Facts id="receipts" title={t('receipts.title')}>
      <ul className="desk-history">
        {order.receipts.map(({ id, kind, number, issuedAt }) => (
          <li key={id}>
            <p className="font-semibold text-ink">{t(`receipts.${kind}`)}</p>
            <p>
              <a className="mono" href={`/admin/receipts/${id}`} target="_blank">
                <bdi dir="ltr">{number}</bdi>
              </a>{' '}
              {formatMoment(issuedAt, language, UTC, 'dated')}
            </p>
          </li>
        ))}
      </ul>
    </Facts>
  );
}
