import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { formatDateShort } from '~/base/dates/dates.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { Button } from '~/ui/button.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { EntriesTable, FiguresTable, OrderLink } from '../frame/lists.tsx';
import { FigureSection, FileLink, Note, Small, useFigures } from './figure-section.tsx';
import type { FiguresView } from './figures.server.ts';
import type { PartnerMoney } from './ledger.server.ts';
import type { Period } from './period.tsx';

/** A figure with what is to be known of it below. */
const noted = (figure: ReactNode, note: string | null) => (
  <>
    {figure}
    {note === null ? null : <Small>{note}</Small>}
  </>
);

/** A row for each partner; what it does not tell is said to be not known. */
export function MoneySection({
  partners,
  period,
  role,
}: {
  partners: readonly PartnerMoney[];
  period: Period;
  role: Role;
}) {
  const { t, language } = useTranslation(['figures', 'books']);
  const { count, money } = useFigures();
  return (
    <FigureSection
      id="money"
      more={
        may(role, 'export_ledger') ? (
          <FileLink name="ledger" period={period} text={t('money.ledger')} />
        ) : null
      }
      title={t('money.title')}
    >
      {partners.length === 0 ? (
        <p className="text-ink-2">{t('money.empty')}</p>
      ) : (
        <>
          <FiguresTable
            caption={t('money.title')}
            columns={[
              {
                head: t('money.captured'),
                render: ({ captured, captures }) =>
                  noted(money(captured), t('money.payments', { count: captures })),
              },
              {
                head: t('money.refunded'),
                render: ({ refunded, refunds }) =>
                  noted(money(refunded), t('money.refunds', { count: refunds })),
              },
              {
                head: t('money.fees'),
                render: ({ fees, charged, captures }) =>
                  noted(
                    money(fees),
                    fees && charged < captures
                      ? t('money.feesOf', { part: count(charged), whole: count(captures) })
                      : null,
                  ),
              },
              {
                head: t('money.disputed'),
                render: ({ disputed, taken }) =>
                  noted(
                    money(disputed),
                    taken && taken.minor !== 0
                      ? t('money.taken', { amount: formatMoney(taken, language) })
                      : null,
                  ),
              },
              {
                head: t('money.net'),
                render: ({ net, isNetWhole }) =>
                  noted(money(net), isNetWhole ? null : t('money.netPart')),
              },
              {
                head: t('money.paidOut'),
                render: ({ paidOut, foreign }) =>
                  noted(
                    money(paidOut),
                    foreign > 0 ? t('money.foreign', { count: foreign }) : null,
                  ),
              },
            ]}
            name={t('books:payments.provider')}
            rows={partners.map((one) => ({
              ...one,
              key: one.provider,
              name: (
                <>
                  {t(`books:provider.${one.provider}`)}
                  {one.isSimulated ? <Small>{t('money.simulated')}</Small> : null}
                  <Small>
                    {one.readUntil
                      ? t('money.readUntil', { day: formatDateShort(one.readUntil, language) })
                      : t('money.unread')}
                  </Small>
                </>
              ),
            }))}
          />
          <Note>{t('money.note')}</Note>
        </>
      )}
    </FigureSection>
  );
}

/** The exceptions: where our ledger and a partner's books differ, and days whose comparison is not finished. */
export function BookSection({
  books: { isCompared, unfinished, differences, hasMore },
  isAsked,
  period,
  role,
  unreadable,
}: {
  books: NonNullable<FiguresView['books']>;
  isAsked: boolean;
  period: Period;
  role: Role;
  /** What was typed as the day to compare and is none; null where nothing was. */
  unreadable: string | null;
}) {
  const { t } = useTranslation(['figures', 'books', 'desk']);
  const { day } = useFigures();
  const isClear = differences.length === 0 && unfinished.length === 0;
  return (
    <FigureSection file={isCompared ? period : undefined} id="books" title={t('books.title')}>
      {isAsked ? (
        <Notice role="status" tone="blue">
          {t('books.asked')}
        </Notice>
      ) : null}
      {isClear ? <p>{t(isCompared ? 'books.agree' : 'books.none')}</p> : null}
      {unfinished.map((report) => (
        <p key={`${report.day} ${report.provider}`}>
          {day(report.day)}, {t(`books:provider.${report.provider}`, report.provider)}{' '}
          <StatusTag tone="amber">{t('books.unfinished', { count: report.unanswered })}</StatusTag>
        </p>
      ))}
      {differences.length === 0 ? null : (
        <EntriesTable
          caption={t('books.title')}
          columns={[
            {
              head: t('books:payments.day'),
              className: 'figures whitespace-nowrap',
              render: (row) => day(row.day),
            },
            {
              head: t('books:payments.order'),
              className: 'whitespace-nowrap',
              render: ({ reference }) => <OrderLink reference={reference} />,
            },
            {
              head: t('books:payments.provider'),
              render: ({ provider }) => t(`books:provider.${provider}`, provider),
            },
            {
              head: t('books.difference'),
              className: '*:block max-wide:col-span-full max-wide:font-semibold',
              render: ({ differences: found, settled }) => (
                <>
                  {found.map((difference) => (
                    <span key={difference}>{t(`books.kind.${difference}`)}</span>
                  ))}
                  {settled ? <span className="text-ink-2">{t('books.kind.settled')}</span> : null}
                </>
              ),
            },
            {
              head: t('books.ours'),
              isLabelled: true,
              render: (row) => (
                <Books captured={row.ourCapturedMinor} refunded={row.ourRefundedMinor} />
              ),
            },
            {
              head: t('books.theirs'),
              isLabelled: true,
              render: (row) => (
                <Books captured={row.theirCapturedMinor} refunded={row.theirRefundedMinor} />
              ),
            },
          ]}
          entries={differences}
          rowOf={(row) => ({
            key: `${row.day} ${row.attemptId}`,
            className: 'max-wide:grid-cols-2',
          })}
          testId="difference-row"
        />
      )}
      {hasMore ? <p className="text-ink-2">{t('books.more')}</p> : null}
      {may(role, 'resolve_alerts') ? (
        <Form
          className="flex flex-wrap items-end gap-x-4 gap-y-3 print:hidden [&_.control]:min-h-11 [&>.field]:shrink [&>.field]:basis-[180px]"
          method="post"
        >
          <TextField
            autoComplete="off"
            defaultValue={unreadable ?? ''}
            error={unreadable === null ? undefined : t('desk:filter.unreadableDay')}
            label={t('books:payments.day')}
            maxLength={40}
            name="day"
          />
          <Button look="secondary" small>
            {t('books.again')}
          </Button>
        </Form>
      ) : null}
    </FigureSection>
  );
}

function Books({ captured, refunded }: { captured: number | null; refunded: number | null }) {
  const { t, language } = useTranslation(['figures', 'books']);
  const money = (minor: number) => formatMoney(usd(minor), language);
  return (
    <span className="figures">
      <bdi>{captured === null ? t('books.noCapture') : money(captured)}</bdi>
      {refunded ? <Small>{t('books:payments.refunded', { amount: money(refunded) })}</Small> : null}
    </span>
  );
}
