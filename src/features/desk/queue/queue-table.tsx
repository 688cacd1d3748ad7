import type { MouseEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useHref, useNavigate } from 'react-router';
import { formatDateShort, toPlainDate, UTC } from '~/base/dates/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { Icon } from '~/ui/icon.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { listedName } from '~/features/application/full-name.ts';
import { ApplicationStatusTag, DueMarker, PutOffText } from '../frame/queue-row-state.tsx';
import { BULK_FORM, CHOSEN } from '../several/bulk-actions.ts';
import type { QueueRow } from './queue.server.ts';
import { serviceName } from '../frame/formats.ts';

/** The applications, most urgent first. On narrow screens each row is an entry of two columns. */
export function QueueTable({
  rows,
  selected,
  query,
  now,
  namesKind,
  countries,
}: {
  rows: readonly QueueRow[];
  /** Number of the application in the panel. */
  selected: string | undefined;
  /** The list's query, kept while one of its applications is open. */
  query: string;
  now: number;
  /** Whether each row names the kind, as a search may have changed the tab. */
  namesKind: boolean;
  /** Names of countries by their three letters, for screen readers. */
  countries: ReadonlyMap<string, string>;
}) {
  const { t } = useTranslation(['desk', 'decision']);
  const openRow = useOpenRow(query);
  const base = useHref(APPLICATIONS);
  return (
    <table className="desk-table queue">
      <caption className="sr-only">{t('queue.caption')}</caption>
      <thead className="@max-[53.25rem]/desk-main:sr-only">
        <tr>
          <th scope="col">
            <span className="sr-only">{t('decision:bulk.column')}</span>
          </th>
          <th scope="col">{t('queue.due')}</th>
          <th scope="col">{t('queue.number')}</th>
          <th scope="col">{t('queue.applicant')}</th>
          <th className="@max-[53.25rem]/desk-main:hidden" scope="col">
            {t('queue.passport')}
          </th>
          <th scope="col">
            {t(rows[0]?.kind === 'insurance' ? 'detail.plan' : 'queue.processing')}
          </th>
          <th className="text-end whitespace-nowrap @max-[53.25rem]/desk-main:hidden" scope="col">
            {t('queue.total')}
          </th>
          <th scope="col">{t('queue.status')}</th>
          <th className="queue-payment whitespace-nowrap" scope="col">
            {t('queue.payment')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            country={countries.get(row.countryCode) ?? row.countryCode}
            href={`${base}/${row.number}${query}#application`}
            key={row.id}
            namesKind={namesKind}
            now={now}
            openRow={openRow}
            row={row}
            selected={row.number === selected}
          />
        ))}
      </tbody>
    </table>
  );
}

const APPLICATIONS = '/admin/applications';

type OpenRow = (event: MouseEvent<HTMLAnchorElement>) => void;

/** What the router's `Link` does, once for the list: fifty of them take as long to render as the rest of it. */
function useOpenRow(query: string): OpenRow {
  const navigate = useNavigate();
  return (event) => {
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const number = event.currentTarget.closest('tr')?.dataset.number;
    if (event.button !== 0 || !isPlain || number === undefined) return;
    event.preventDefault();
    void navigate(`${APPLICATIONS}/${number}${query}#application`, {
      preventScrollReset: true,
      replace: event.currentTarget.ariaCurrent === 'page',
    });
  };
}

function Row({
  row,
  selected,
  country,
  href,
  openRow,
  now,
  namesKind,
}: {
  row: QueueRow;
  selected: boolean;
  /** The name of its nationality. */
  country: string;
  href: string;
  openRow: OpenRow;
  now: number;
  namesKind: boolean;
}) {
  const { t, language } = useTranslation(['desk', 'decision', 'case-file']);
  const paid = row.paymentStatus === 'completed';
  const applicant = `applicant-${row.number}`;
  return (
    <tr
      aria-selected={selected ? true : undefined}
      data-number={row.number}
      data-testid="queue-row"
    >
      <td className="queue-tick">
        <label className="grid size-11 cursor-pointer place-items-center select-none">
          <span className="check-box">
            <input
              aria-label={t('decision:bulk.choose', { name: listedName(row) })}
              form={BULK_FORM}
              name={CHOSEN}
              type="checkbox"
              value={row.number}
            />
            <Icon name="check" size={18} />
          </span>
        </label>
      </td>
      <td className="queue-due figures">
        <DueMarker
          decidedAt={row.undelivered ? null : row.decidedAt}
          now={now}
          paid={paid}
          pausedAt={row.pausedAt}
          promisedAt={row.promisedAt}
        />
      </td>
      <td className="queue-number whitespace-nowrap">
        <a
          aria-current={selected ? 'page' : undefined}
          aria-describedby={applicant}
          className="queue-link"
          href={href}
          onClick={openRow}
        >
          <NumberCode value={row.number} />
        </a>
        {namesKind ? (
          <span className="block text-tiny/4 text-ink-2" data-testid="kind">
            {t(`tab.${row.kind}`)}
          </span>
        ) : null}
        {row.status === 'processing' && row.authorityReference ? (
          <span className="block text-tiny/4 text-ink-2">
            {t('authority.short')}{' '}
            <bdi className="mono" dir="ltr">
              {row.authorityReference}
            </bdi>
          </span>
        ) : null}
      </td>
      <th className="queue-applicant wrap-anywhere" id={applicant} scope="row">
        <bdi>{listedName(row)}</bdi>
      </th>
      <td className="mono text-fine @max-[53.25rem]/desk-main:hidden">
        <span aria-hidden="true">{row.countryCode}</span>
        <span className="sr-only">{country}</span>
      </td>
      <td className="queue-processing whitespace-nowrap">{serviceName(t, row)}</td>
      <td className="figures text-end whitespace-nowrap @max-[53.25rem]/desk-main:hidden">
        <bdi>{formatMoney(row.total, language)}</bdi>
      </td>
      <td className="queue-status">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 @max-[53.25rem]/desk-main:justify-end">
          <ApplicationStatusTag status={row.status} />
          {row.actionRequired && !row.decidedAt ? (
            <span className="text-tiny font-semibold text-amber">{t('status.actionRequired')}</span>
          ) : null}
          {row.unanswered ? (
            <span className="text-tiny font-semibold text-amber">{t('decision:noAnswer')}</span>
          ) : null}
          {row.undelivered ? (
            <span className="text-tiny font-semibold text-amber">{t('status.pdfMissing')}</span>
          ) : null}
          {row.handedInAt ? (
            <span className="text-tiny text-ink-2">
              {t('authority.rowSince', {
                moment: formatDateShort(toPlainDate(row.handedInAt, UTC), language),
              })}
            </span>
          ) : null}
          {row.putOff ? (
            <span className="text-tiny text-ink-2 @max-[53.25rem]/desk-main:text-end">
              <PutOffText {...row.putOff} until={row.putOff.untilAt} />
            </span>
          ) : null}
          {row.toChase ? (
            <span className="text-tiny font-semibold text-amber">{t('authority.chase')}</span>
          ) : null}
          {row.hasPdf ? (
            <span className="text-tiny font-semibold text-green">{t('status.pdfHere')}</span>
          ) : null}
          {row.corrected ? (
            <span className="text-tiny font-semibold text-amber">{t('show.corrected')}</span>
          ) : null}
          {row.hasMessage ? (
            <span className="text-tiny font-semibold text-amber">
              {t('case-file:marks.message')}
            </span>
          ) : null}
          {row.holder === null || row.decidedAt ? null : (
            <span className="rounded-full border border-line-2 px-2 text-tiny text-ink-2">
              {row.holder === '' ? t('claim.mine') : <bdi>{row.holder}</bdi>}
            </span>
          )}
          {row.decidedAt ? <SentMarker sent={row.mailSentAt !== null} /> : null}
          {row.duplicate || row.notes > 0 ? <CaseFileMarks row={row} /> : null}
        </span>
      </td>
      <td
        className={`queue-payment whitespace-nowrap ${paid ? 'text-ink-2 @max-[53.25rem]/desk-main:hidden' : 'font-semibold text-ink'}`}
      >
        <span className="text-ink-2 @min-[53.25rem]/desk-main:hidden">{`${t('queue.payment')}: `}</span>
        {t(`payment.${row.paymentStatus}`)}
      </td>
    </tr>
  );
}

/** Whether the email about the decision was sent. */
function SentMarker({ sent }: { sent: boolean }) {
  const { t } = useTranslation('desk');
  return (
    <span
      className="inline-flex items-center gap-1 text-fine whitespace-nowrap text-ink-2"
      data-testid={sent ? 'mail-sent' : 'mail-waits'}
    >
      {sent ? <Icon name="envelope" size={14} /> : <Icon name="clock" size={14} />}
      {sent ? t('queue.sent') : t('queue.sending')}
    </span>
  );
}

/** Marks for notes, possible duplicates and unanswered corrections. */
function CaseFileMarks({
  row: { notes, duplicate },
}: {
  row: Pick<QueueRow, 'notes' | 'duplicate'>;
}) {
  const { t } = useTranslation('case-file');
  return (
    <>
      {duplicate ? (
        <span className="text-tiny font-semibold text-amber">{t('marks.duplicate')}</span>
      ) : null}
      {notes > 0 ? (
        <span className="rounded-full border border-line-2 px-2 text-tiny text-ink-2">
          {t('marks.notes', { count: notes })}
        </span>
      ) : null}
    </>
  );
}
