import { formatDate, formatDateShort, parseDate } from '~/base/dates/dates.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Icon, type IconName } from '~/ui/icon.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';
import { Marked, markDiffering } from './differing.tsx';
import type { OpenDuplicate } from './duplicates.ts';
import {
  isMatch,
  isRead,
  type ComparedField,
  type Comparison,
  type FactMark,
} from './pdf-rules.ts';

/**
 * A PDF beside the application that it may be for: what was applied for, a mark at each fact, and what the PDF says
 * where that is something else.
 */
export function PdfCard({
  comparison,
  duplicates,
}: {
  comparison: Comparison;
  duplicates: readonly OpenDuplicate[];
}) {
  const { t } = useTranslation('decision');
  const { fields, usedFor } = comparison;
  const hasText = isRead(comparison);
  return (
    <div className="grid gap-2.5">
      {usedFor.length > 0 ? (
        <Notice title={t('compare.sameFile')} tone="red">
          <ul>
            {usedFor.map((number) => (
              <li key={number}>
                <a dir="ltr" href={`/admin/applications/${number}`} rel="noopener" target="_blank">
                  {number}
                </a>
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {hasText ? null : <Notice tone="amber">{t('compare.unread')}</Notice>}
      {hasText && !isMatch(comparison) ? <Notice tone="red">{t('compare.differs')}</Notice> : null}
      <DuplicateNotice duplicates={duplicates} />
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-x-5 gap-y-2.5">
        {fields.map((field) => (
          <ComparedFact field={field} key={field.fact} />
        ))}
      </dl>
    </div>
  );
}

/** What shows an email or a PDF; each page sets its height. */
export const FRAME = 'block w-full rounded-card border border-line-2 bg-paper';

/**
 * A PDF in the browser's own reader. Browsers show none in a sandbox, which an `object` or `embed` has not at all.
 * The checks at its upload and the policy of its answer (`files.ts`) leave nothing that could run.
 */
export function PdfFrame({
  className,
  src,
  title,
}: {
  className: string;
  src: string;
  title: string;
}) {
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- see above
    <iframe className={`${FRAME} ${className}`} loading="lazy" src={src} title={title} />
  );
}

const marks = {
  match: { icon: 'check', look: 'text-green', text: 'desk:detail.zone.same' },
  differs: { icon: 'cross', look: 'text-error', text: 'desk:detail.zone.differs' },
  missing: { icon: 'alert', look: 'text-amber', text: 'compare.missing' },
} as const satisfies Record<FactMark, { icon: IconName; look: string; text: string }>;

function ComparedFact({ field: { fact, applied, mark, says } }: { field: ComparedField }) {
  const { t, language } = useTranslation(['decision', 'desk']);
  // Documents write names in capitals.
  const day = (text: string) => {
    const date = parseDate(text);
    return date ? formatDate(date, language) : text.toUpperCase();
  };
  const isValidity = fact === 'validity';
  const shown = isValidity ? `${t('desk:detail.arrival')}: ${day(applied)}` : day(applied);
  const said = says.map((one) => {
    const [from, until] = one.split('/').map(parseDate);
    if (!isValidity || !from || !until) return day(one);
    return t('desk:detail.period', {
      from: formatDateShort(from, language),
      to: formatDateShort(until, language),
    });
  });
  const [closest = ''] = said;
  const isCompared = mark === 'differs' && !isValidity;
  const [own] = markDiffering(shown, isCompared ? closest : shown);
  const look = fact === 'passportNumber' ? 'mono' : undefined;
  return (
    <div data-mark={mark ?? 'unread'} data-testid={`fact-${fact}`}>
      <dt className="text-fine text-ink-2">{t(`compare.fact.${fact}`)}</dt>
      <dd className="grid gap-0.5 font-semibold wrap-anywhere">
        <bdi className={look}>
          <Marked parts={own} />
        </bdi>
        {mark === null ? null : (
          <span className={`flex items-center gap-1 text-fine ${marks[mark].look}`}>
            <Icon name={marks[mark].icon} />
            {t(marks[mark].text)}
          </span>
        )}
        {said.length > 0 ? (
          <span className="text-fine font-normal">
            {t('compare.instead')}{' '}
            {said.map((written) => (
              <span className="not-first:before:content-['_·_']" key={written}>
                <bdi className={`font-semibold ${look ?? ''}`}>
                  <Marked parts={markDiffering(isCompared ? shown : written, written)[1]} />
                </bdi>
              </span>
            ))}
          </span>
        ) : null}
      </dd>
    </div>
  );
}

/** Each opens in another tab, so that nothing of this page is lost. */
export function DuplicateNotice({ duplicates }: { duplicates: readonly OpenDuplicate[] }) {
  const { t } = useTranslation(['decision', 'case-file']);
  if (duplicates.length === 0) return null;
  return (
    <Notice title={t('case-file:duplicates.title', { count: duplicates.length })} tone="amber">
      <p>{t('compare.duplicate')}</p>
      <ul>
        {duplicates.map(({ number, name, status, reasons }) => (
          <li className="mt-1.5" key={number}>
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <a href={`/admin/applications/${number}`} rel="noopener" target="_blank">
                <NumberCode value={number} />
              </a>
              <bdi>{name}</bdi>
              <ApplicationStatusTag status={status} />
            </span>
            {reasons.map((reason) => t(`case-file:duplicates.reason.${reason}`)).join(' · ')}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
