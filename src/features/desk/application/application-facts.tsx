import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import {
  formatDate,
  formatDateShort,
  formatMoment,
  parseDate,
  UTC,
  ADULT_YEARS,
} from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { formatLanguage, serviceName } from '../frame/formats.ts';
import type { Detail } from './detail.server.ts';
import { plainAnswers, validityWords } from './plain-answers.ts';
import { warningsOf } from './warnings.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import type { ReactNode } from 'react';
import { PASSPORT_MONTHS } from '~/features/form/answers/limits.ts';
import { Notice } from '~/ui/notice.tsx';

type Numbers = { passport: string; supportingDocument: string | null };

/** The facts for a decision, in the order of the passport. */
export function ApplicationFacts({
  application,
  numbers,
}: {
  application: Detail;
  numbers: Numbers | null;
}) {
  return (
    <>
      <PassportFacts application={application} numbers={numbers} />
      {application.visa?.zone ? <ZoneFacts zone={application.visa.zone} /> : null}
      <TripFacts application={application} />
      <PhotoFacts application={application} />
      <SupportingFacts application={application} numbers={numbers} />
      <PaymentFacts application={application} />
    </>
  );
}

function useDay(format: typeof formatDate = formatDate) {
  const language = useLanguage();
  return (day: string | null): string => {
    const date = day === null ? null : parseDate(day);
    return date ? format(date, language) : (day ?? '');
  };
}

/** A masked number with a button that shows it; showing it is recorded. */
function SealedNumber({ shown, revealed }: { shown: string; revealed: string | null }) {
  const { t } = useTranslation('desk');
  return (
    <span className="flex flex-wrap items-baseline gap-2">
      <bdi className="mono" dir="ltr">
        {revealed ?? shown}
      </bdi>
      {revealed === null ? (
        <Form method="post" preventScrollReset replace>
          <button
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

function PassportFacts({ application, numbers }: { application: Detail; numbers: Numbers | null }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const day = useDay();
  const shortDay = useDay(formatDateShort);
  const { visa, insurance } = application;
  const sealed = visa ?? insurance;
  const birthPlace = visa?.placeOfBirth ?? insurance?.placeOfBirth;
  const born = day(application.dateOfBirth);
  const facts: (DeskFact | null)[] = [
    {
      term: t('detail.name'),
      value: `${application.lastName} ${application.firstName}`.toUpperCase(),
      latin: true,
    },
    sealed && {
      term: t('detail.number'),
      value: <SealedNumber revealed={numbers?.passport ?? null} shown={sealed.passportNumber} />,
    },
    {
      term: t('detail.nationality'),
      value: t('detail.nationalityValue', {
        country: application.country,
        document: t(
          `detail.travelDocument.${application.travelDocument}`,
          application.travelDocument,
        ),
      }),
    },
    {
      term: t('detail.born'),
      value: birthPlace ? t('detail.bornValue', { date: born, place: birthPlace }) : born,
    },
    visa && {
      term: t('detail.issuedExpires'),
      value: t('detail.period', {
        from: shortDay(visa.passportIssueDate),
        to: shortDay(visa.passportExpiryDate),
      }),
    },
    visa && { term: t('detail.mother'), value: visa.motherName, latin: true },
    visa && { term: t('detail.father'), value: visa.fatherName, latin: true },
    ...plainAnswers(t, language, visa, ['passport', 'parents']),
  ];
  return <DeskFacts facts={facts} title={t(visa ? 'detail.passport' : 'detail.traveller')} />;
}

function TripFacts({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const day = useDay();
  const { visa, insurance, kind, service } = application;
  const facts: (DeskFact | null)[] = [
    {
      term: kind === 'visa' ? t('detail.arrival') : t('detail.firstDay'),
      value: day(application.startsOn),
    },
    visa?.purpose ? { term: t('detail.purpose'), value: t(`detail.${visa.purpose}`) } : null,
    {
      term: kind === 'visa' ? t('detail.processing') : t('detail.plan'),
      value: serviceName(t, { service, withDocument: Boolean(visa?.supportingDocument) }),
    },
    insurance && { term: t('detail.coverUntil'), value: day(insurance.coverUntil) },
    insurance && { term: t('detail.returnDate'), value: day(insurance.returnDate) },
    insurance && {
      term: t('detail.tripLength'),
      value: t('detail.tripDays', { count: insurance.tripDays }),
    },
    insurance && { term: t('detail.destination'), value: <bdi>{insurance.destination}</bdi> },
    insurance?.cancelledAt
      ? {
          term: t('detail.cancelledAt'),
          value: formatMoment(insurance.cancelledAt, language, UTC, 'dated'),
        }
      : null,
    visa && {
      term: t('detail.allows'),
      value: t('detail.allowsValue', {
        count: visa.stayDays,
        entries: t(`detail.${visa.entries}`),
      }),
    },
    ...plainAnswers(t, language, visa, ['trip', 'document']),
  ];
  return <DeskFacts facts={facts} title={t('detail.trip')} />;
}

function SupportingFacts({
  application,
  numbers,
}: {
  application: Detail;
  numbers: Numbers | null;
}) {
  const { t } = useTranslation('desk');
  const day = useDay();
  const supporting = application.visa?.supportingDocument;
  if (!supporting) return null;
  const facts: (DeskFact | null)[] = [
    { term: t('detail.kind'), value: t(`detail.${supporting.type}`) },
    supporting.issuer ? { term: t('detail.issuer'), value: supporting.issuer } : null,
    supporting.number
      ? {
          term: t('detail.number'),
          value: (
            <SealedNumber
              revealed={numbers?.supportingDocument ?? null}
              shown={supporting.number}
            />
          ),
        }
      : null,
    { term: t('detail.valid'), value: validityWords(t, day, supporting) },
  ];
  return <DeskFacts facts={facts} title={t('detail.supportingDocument')} />;
}

export function ContactFacts({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const facts: (DeskFact | null)[] = [
    { term: t('detail.email'), value: application.email, latin: true },
    { term: t('detail.phone'), value: application.phoneGrouped, latin: true },
    application.visa && { term: t('detail.address'), value: application.visa.address, latin: true },
    ...plainAnswers(t, language, application.visa, ['contact']),
    { term: t('detail.language'), value: formatLanguage(application.language, language) },
  ];
  return <DeskFacts facts={facts} title={t('detail.contact')} />;
}

function PaymentFacts({ application }: { application: Detail }) {
  const { t } = useTranslation(['desk', 'refund']);
  const language = useLanguage();
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
      ? { term: t('detail.order'), value: order.number, mono: true, latin: true }
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
function orderAddress({ kind, status, paid }: Detail, orderNumber: string): string {
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
function PhotoFacts({ application }: { application: Detail }) {
  const { t } = useTranslation('desk');
  const { insurance } = application;
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

type Zone = NonNullable<NonNullable<Detail['visa']>['zone']>;

/**
 * The typed answers beside what the traveller's device read from the passport, each marked in words as a match, a
 * difference or not read. The photo itself never leaves the device.
 */
function ZoneFacts({ zone }: { zone: Zone }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
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

type DeskFact = {
  term: string;
  value: ReactNode;
  /** Names, addresses and numbers: left to right in every language. */
  latin?: boolean;
  mono?: boolean;
};

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
  return (
    <section className="desk-facts">
      <h3>{title}</h3>
      <dl>
        {facts.map((fact) =>
          fact && fact.value !== '' ? (
            <div key={fact.term}>
              <dt>{fact.term}</dt>
              <dd className={fact.mono ? 'mono' : undefined}>
                {fact.latin ? <bdi dir="ltr">{fact.value}</bdi> : fact.value}
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {children}
    </section>
  );
}

export function Warnings({ application, now }: { application: Detail; now: number }) {
  const { t } = useTranslation('desk');
  const warnings = warningsOf(application, now);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="amber">
      {warnings.map((name) => t(`detail.${name}`, { months: PASSPORT_MONTHS })).join(' ')}
    </Notice>
  );
}
