import { useClock } from '~/ui/use-now.tsx';
import {
  passportFacts,
  tripFacts,
  supportingFacts,
  contactFacts,
  type Fact,
  applicationWarnings,
} from './facts.ts';
import { keyOf } from './case-actions.ts';
import { useCase } from './case.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { formatDateShort, formatMoment, parseDate, UTC, ADULT_YEARS } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import type { ApplicationDetail } from './detail.server.ts';
import { StatusTag } from '~/ui/status-tag.tsx';
import type { ReactNode } from 'react';
import { PASSPORT_MONTHS } from '~/features/form/answers/limits.ts';
import { Notice } from '~/ui/notice.tsx';

/** The facts for a decision, in the order of the passport. */
export function ApplicationFacts() {
  const { t, language } = useTranslation('desk');
  const { application } = useCase();
  const { visa } = application;
  return (
    <>
      <DeskFacts
        facts={passportFacts(t, language, application)}
        title={t(visa ? 'detail.passport' : 'detail.traveller')}
      />
      {visa?.zone ? <ZoneFacts zone={visa.zone} /> : null}
      <DeskFacts facts={tripFacts(t, language, application)} title={t('detail.trip')} />
      <PhotoFacts />
      <DeskFacts
        facts={supportingFacts(t, language, application)}
        title={t('detail.supportingDocument')}
      />
      <PaymentFacts />
    </>
  );
}

export function ContactFacts() {
  const { t, language } = useTranslation('desk');
  const facts = contactFacts(t, language, useCase().application);
  return <DeskFacts facts={facts} title={t('detail.contact')} />;
}

/** A masked number with a button that shows it; showing it is recorded. */
function SealedNumber({ shown, of }: { shown: string; of: NonNullable<Fact['sealed']> }) {
  const { t } = useTranslation('desk');
  const revealed = useCase().numbers?.[of] ?? null;
  return (
    <span className="flex flex-wrap items-baseline gap-2">
      <bdi
        className="mono"
        data-after={revealed === null ? undefined : 'reveal'}
        dir="ltr"
        tabIndex={revealed === null ? undefined : -1}
      >
        {revealed ?? shown}
      </bdi>
      {revealed === null ? (
        <Form method="post" preventScrollReset replace>
          <button
            {...keyOf('reveal')}
            aria-label={t('detail.showLabel')}
            className="link-button"
            name="intent"
            value="reveal"
          >
            {t('detail.show')}
          </button>
        </Form>
      ) : null}
    </span>
  );
}

function PaymentFacts() {
  const { application } = useCase();
  const { t, language } = useTranslation(['desk', 'refund']);
  const { order, lines, total, returned } = application;
  const money = (amount: typeof total) => <bdi>{formatMoney(amount, language)}</bdi>;
  const paidAt = order?.paidAt ?? null;
  const facts: (DeskFact | null)[] = [
    paidAt
      ? {
          term: t('detail.completed'),
          value: t('detail.completedValue', {
            amount: formatMoney(total, language),
            moment: formatMoment(paidAt, language, UTC, 'dated'),
          }),
        }
      : { term: t('queue.payment'), value: t(`payment.${application.paymentStatus}`) },
    ...lines.map(({ code, amount }) => ({
      term: t(`detail.line.${code}`, code),
      value: money(amount),
    })),
    { term: t('detail.total'), value: money(total) },
    returned.done.minor > 0
      ? { term: t('refund:panel.refunded'), value: money(returned.done) }
      : null,
    returned.coming.minor > 0
      ? { term: t('refund:panel.coming'), value: money(returned.coming) }
      : null,
    order && order.number !== application.number
      ? { term: t('detail.order'), value: order.number, mono: true, isLatin: true }
      : null,
    application.receipts.length > 0
      ? {
          term: t('detail.receipts'),
          value: <ReceiptLinks receipts={application.receipts} />,
        }
      : null,
  ];
  return (
    <DeskFacts facts={facts} title={t('detail.payment')}>
      {order ? (
        <p>
          <Link className="desk-link" to={orderAddress(application, order.number)}>
            {t(
              application.status === 'rejected' && paidAt
                ? 'refund:panel.offer'
                : 'refund:panel.link',
            )}
          </Link>
        </p>
      ) : null}
    </DeskFacts>
  );
}

/** The order's page; for a rejected visa with its refund form open, because its refund is not automatic. */
function orderAddress({ kind, status, paid }: ApplicationDetail, orderNumber: string): string {
  const isRefused = paid && kind === 'visa' && status === 'rejected';
  return `/admin/orders/${orderNumber}${isRefused ? '?cause=visa_refused#refund' : ''}`;
}

/** Receipt and credit notes of an order as the payer gets them. They open in another tab, which is recorded. */
function ReceiptLinks({ receipts }: { receipts: readonly { id: string; number: string }[] }) {
  return (
    <span className="flex flex-wrap gap-x-4">
      {receipts.map(({ id, number }) => (
        <a className="mono" href={`/admin/receipts/${id}`} key={id} target="_blank">
          <bdi dir="ltr">{number}</bdi>
        </a>
      ))}
    </span>
  );
}

/** Links to the photos of a parent's ID, for a traveller under 18; opening one is recorded. */
function PhotoFacts() {
  const { t } = useTranslation('desk');
  const { insurance } = useCase().application;
  if (!insurance?.isMinor) return null;
  const { photos } = insurance;
  return (
    <section className="desk-facts">
      <h3>{t('photos.title')}</h3>
      <p className="text-ink-2">{t('photos.lead', { age: ADULT_YEARS })}</p>
      {photos.length === 0 ? <p>{t('photos.none')}</p> : null}
      <ul className="desk-history">
        {photos.map(({ id, name, size }, index) => (
          <li key={id}>
            <p>
              <bdi>{name}</bdi>, <bdi dir="ltr">{`${Math.max(1, Math.round(size / 1024))} KB`}</bdi>
            </p>
            <p>
              <a href={`/admin/photos/${id}`} rel="noopener" target="_blank">
                {t('photos.open', { number: index + 1 })}
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Zone = NonNullable<NonNullable<ApplicationDetail['visa']>['zone']>;

/**
 * The typed answers beside what the traveller's device read from the passport, each marked in words as a match, a
 * difference or not read. The photo itself never leaves the device.
 */
function ZoneFacts({ zone }: { zone: Zone }) {
  const { t, language } = useTranslation('desk');
  const shown = (value: string) => {
    const day = parseDate(value);
    return day ? formatDateShort(day, language) : <bdi dir="ltr">{value}</bdi>;
  };
  return (
    <section className="desk-facts">
      <h3>{t('detail.zone.title')}</h3>
      <table className="desk-zone">
        <thead>
          <tr>
            <th scope="col">{t('detail.zone.field')}</th>
            <th scope="col">{t('detail.zone.typed')}</th>
            <th scope="col">{t('detail.zone.read')}</th>
          </tr>
        </thead>
        <tbody>
          {zone.rows.map(({ field, typed, read, differs }) => (
            <tr key={field}>
              <th scope="row">{t(`visa:labels.${field}`)}</th>
              <td>{shown(typed)}</td>
              <td>
                {read === '' ? null : shown(read)} <Mark differs={differs} isRead={read !== ''} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {zone.areNamesCut ? <p>{t('detail.zone.cut')}</p> : null}
    </section>
  );
}

function Mark({ differs, isRead }: { differs: boolean; isRead: boolean }) {
  const { t } = useTranslation('desk');
  if (!isRead) return <StatusTag tone="neutral">{t('detail.zone.notRead')}</StatusTag>;
  return differs ? (
    <StatusTag icon="alert" tone="amber">
      {t('detail.zone.differs')}
    </StatusTag>
  ) : (
    <StatusTag icon="check" tone="green">
      {t('detail.zone.same')}
    </StatusTag>
  );
}

type DeskFact = Omit<Fact, 'value'> & { value: ReactNode; mono?: boolean };

/** A group of facts: terms 124 px wide, values beside them. Facts without a value are left out. */
function DeskFacts({
  title,
  facts,
  children,
}: {
  title: string;
  facts: readonly (DeskFact | null)[];
  children?: ReactNode;
}) {
  if (facts.length === 0) return null;
  return (
    <section className="desk-facts">
      <h3>{title}</h3>
      <dl>
        {facts.map((fact) =>
          fact && fact.value !== '' ? (
            <div key={fact.term}>
              <dt>{fact.term}</dt>
              <dd className={fact.mono ? 'mono' : undefined}>
                <FactValue {...fact} />
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {children}
    </section>
  );
}

function FactValue({ value, sealed, isLatin }: DeskFact) {
  if (sealed && typeof value === 'string') return <SealedNumber of={sealed} shown={value} />;
  return isLatin ? <bdi dir="ltr">{value}</bdi> : value;
}

export function Warnings() {
  const { t } = useTranslation('desk');
  const { application, madeAt } = useCase();
  const now = useClock(madeAt);
  const warnings = applicationWarnings(application, now);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="amber">
      {warnings.map((name) => t(`detail.${name}`, { months: PASSPORT_MONTHS })).join(' ')}
    </Notice>
  );
}
