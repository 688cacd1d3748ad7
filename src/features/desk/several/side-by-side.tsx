import { CheckBox } from '~/ui/fields/check-box.tsx';
import { Link } from '~/ui/page/link.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { classNames } from '~/ui/class-names.ts';
import { ScrollRegion } from '~/ui/scroll-region.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { listedName } from '~/features/application/full-name.ts';
import { DropZone } from '../application/drop-zone.tsx';
import { MAX_PDF_MEGABYTES } from '../application/pdf-rules.ts';
import type { TravellerView } from './open-group.server.ts';
import type { ReactNode } from 'react';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { formatMoney } from '~/base/money.ts';
import type { Translate } from '~/base/read-text.ts';
import { PASSPORT_MONTHS } from '~/features/form/answers/limits.ts';
import { ApplicationStatusTag, DueMarker } from '../frame/queue-row-state.tsx';
import {
  contactFacts,
  passportFacts,
  supportingFacts,
  tripFacts,
  applicationWarnings,
  type Fact,
} from '../application/facts.ts';

/** Of the form in which somebody decides on them. */
export const GROUP_FORM = 'decide-together';

/** A head, the rows of `rowsOf`, and the PDF; further rows are empty and, without a gap, take no room. */
const ROWS = '@min-[32.5rem]/desk-main:row-span-40 @min-[32.5rem]/desk-main:grid-rows-subgrid';

/**
 * The travellers of an order: columns of one grid where there is room, each row at the same height for all; one below
 * the other on narrow screens. Each is a list of its own terms, whose labels stand once, at the start, where they are
 * columns.
 */
export function SideBySide({
  travellers,
  latest,
  chosen,
  now,
}: {
  /** As the page was loaded: heads and files belong to its form. */
  travellers: readonly TravellerView[];
  /** As they are now: the rows. */
  latest: readonly TravellerView[];
  /** Numbers of those that are chosen; null for all that are open. */
  chosen: readonly string[] | null;
  now: number;
}) {
  const { t } = useTranslation(['desk', 'decision', 'case-file']);
  const language = useLanguage();
  const columns = travellers.map((one) =>
    rowsOf(t, language, latest.find(({ position }) => position === one.position) ?? one, now),
  );
  const labels = columns[0]?.map(({ label }) => label) ?? [];
  const differs = labels.map((_, row) => {
    const values = columns.map((rows) => rows[row]?.shared ?? null);
    return values.every((value) => value !== null) ? differing(values) : [];
  });
  return (
    <ScrollRegion aria-labelledby="travellers" className={GRID}>
      <div
        aria-hidden="true"
        className={classNames(
          ROWS,
          'sticky start-0 z-1 hidden bg-paper @min-[32.5rem]/desk-main:grid *:border-b *:border-line *:py-2 *:pe-3 *:text-ink-2',
        )}
      >
        <p />
        {labels.map((label) => (
          <p key={label}>{label}</p>
        ))}
        <p>{t('decision:group.pdf')}</p>
      </div>
      {travellers.map((one, column) => (
        <TravellerColumn
          differs={differs.map((row) => row[column] ?? false)}
          isChosen={chosen === null || chosen.includes(one.visa.number)}
          key={one.visa.number}
          one={one}
          rows={columns[column] ?? []}
        />
      ))}
    </ScrollRegion>
  );
}

const GRID =
  'mt-2.5 grid grid-cols-1 gap-x-3 gap-y-6 overflow-x-auto @min-[32.5rem]/desk-main:grid-flow-col @min-[32.5rem]/desk-main:auto-cols-[minmax(10.5rem,1fr)] @min-[32.5rem]/desk-main:grid-cols-[7rem] @min-[32.5rem]/desk-main:gap-y-0';

const COLUMN = `grid grid-cols-1 content-start ${ROWS}`;

const ROW = 'grid min-w-0 border-b border-line py-2 wrap-anywhere';

/** A label before its value, while they stand below one another. */
const PAIR = `${ROW} grid-cols-[8.5rem_minmax(0,1fr)] gap-x-2 @min-[32.5rem]/desk-main:grid-cols-1`;

function TravellerColumn({
  one,
  rows,
  differs,
  isChosen,
}: {
  one: TravellerView;
  rows: readonly TravellerRow[];
  /** Of each row, whether this traveller's value is another than most travellers'. */
  differs: readonly boolean[];
  isChosen: boolean;
}) {
  const { t } = useTranslation(['desk', 'decision']);
  const { position, visa } = one;
  const headId = `traveller-${position}`;
  return (
    <section aria-labelledby={headId} className={COLUMN}>
      <Head headId={headId} isChosen={isChosen} one={one} />
      <dl className="contents">
        {rows.map(({ label, value }, row) => (
          <div className={PAIR} key={label}>
            <dt className={LABEL}>{label}</dt>
            <dd>
              {value}
              {differs[row] ? (
                <span className="block text-fine font-semibold text-amber">
                  {t('decision:group.differs')}
                </span>
              ) : null}
            </dd>
          </div>
        ))}
        {/* Over the whole width, where the button of the file input has room at 320 px, too. */}
        <div className={classNames(ROW, 'grid-cols-1 gap-y-1')}>
          <dt className={LABEL}>{t('decision:group.pdf')}</dt>
          <dd>
            {one.may.approve ? (
              <DropZone
                form={GROUP_FORM}
                hint={t('decision:group.pdfHint', { megabytes: MAX_PDF_MEGABYTES })}
                keptFile={null}
                of={`-${visa.number}`}
                removeName={t('decision:group.removePdf', { name: visa.firstName })}
                title={t('decision:group.attach', { name: visa.firstName })}
                to={visa.number}
              />
            ) : (
              <Delivered visa={visa} />
            )}
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** Beside each value while they stand below one another; for screen readers alone in the columns. */
const LABEL = 'text-ink-2 @min-[32.5rem]/desk-main:sr-only';

function Head({
  headId,
  one: { position, visa, may },
  isChosen,
}: {
  headId: string;
  one: TravellerView;
  isChosen: boolean;
}) {
  const { t } = useTranslation('decision');
  const name = listedName(visa);
  return (
    <div className="grid content-start gap-1 border-b border-line-2 pb-2">
      <p className="text-fine text-ink-2">{t('group.traveller', { position })}</p>
      <h3 className="text-base" id={headId}>
        <bdi>{name}</bdi>
      </h3>
      <p className="text-fine">
        <Link className="desk-link" to={`/admin/applications/${visa.number}#application`}>
          <NumberCode value={visa.number} />
        </Link>
      </p>
      {may.reject ? (
        <>
          <CheckBox
            aria-label={t('group.chooseName', { name })}
            defaultChecked={isChosen}
            form={GROUP_FORM}
            id={`chosen-${visa.number}`}
            // Made anew where an answer leaves this traveller out, or takes them in again.
            key={String(isChosen)}
            label={t('group.choose')}
            name="chosen"
            value={visa.number}
          />
          <input form={GROUP_FORM} name={`seen-${visa.number}`} type="hidden" value={visa.status} />
        </>
      ) : null}
    </div>
  );
}

function Delivered({ visa }: { visa: TravellerView['visa'] }) {
  const { t } = useTranslation('desk');
  const current = visa.documents.find(({ replacedAt }) => replacedAt === null);
  if (!current) return '–';
  return (
    <a className="desk-link" href={`/admin/documents/${current.id}`} rel="noopener" target="_blank">
      {t('document.view')}
    </a>
  );
}

/**
 * Which of these values differ from what most of them say: what travellers of one order ordinarily share, and may have
 * been entered wrongly for one. None where no value is that of more than half.
 */
export function differing(values: readonly string[]): boolean[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const usual = [...counts].find(([, count]) => count > values.length / 2)?.[0];
  return values.map((value) => usual !== undefined && value !== usual);
}

type TravellerRow = {
  label: string;
  value: ReactNode;
  /** What ordinarily is the same for all travellers of an order; null where it is each one's own. */
  shared: string | null;
};

/** What stands of a traveller beside the others: the same rows for everybody, in the same order. */
function rowsOf(
  t: Translate<'desk'>,
  language: Language,
  one: TravellerView,
  now: number,
): TravellerRow[] {
  const { visa, insurance } = one;
  const { status, promisedAt, decidedAt, pausedAt, paid } = visa;
  const own = (label: string, value: ReactNode): TravellerRow => ({ label, value, shared: null });
  const facts = (of: typeof passportFacts) => of(t, language, visa).map((fact) => rowOf(t, fact));
  // The name stands above, the number of the passport under a word of its own.
  const [, ...passport] = facts(passportFacts);
  const supporting = supportingFacts(t, language, visa).map(({ value }) => value);
  return [
    own(
      t('decision:group.state'),
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <ApplicationStatusTag status={status} />
        {decidedAt ? null : (
          <DueMarker
            decidedAt={decidedAt}
            inWords
            now={now}
            paid={paid}
            pausedAt={pausedAt}
            promisedAt={promisedAt}
          />
        )}
      </span>,
    ),
    own(
      t('decision:group.readyBy'),
      promisedAt && !pausedAt ? formatMoment(promisedAt, language, UTC, 'short') : '–',
    ),
    own(t('decision:group.holder.label'), holderWords(t, language, one)),
    own(t('decision:group.marks'), <Marks now={now} one={one} t={t} />),
    ...passport,
    ...facts(tripFacts),
    own(t('detail.supportingDocument'), supporting.filter(Boolean).join(', ') || '–'),
    ...facts(contactFacts),
    own(
      t('decision:group.insurance'),
      insurance ? (
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link className="desk-link" to={`/admin/applications/${insurance.number}#application`}>
            <NumberCode value={insurance.number} />
          </Link>
          <ApplicationStatusTag status={insurance.status} />
        </span>
      ) : (
        '–'
      ),
    ),
    own(t('detail.total'), <bdi>{formatMoney(visa.total, language)}</bdi>),
  ];
}

const rowOf = (
  t: Translate<'desk'>,
  { term, value, sealed, isLatin, isShared }: Fact,
): TravellerRow => ({
  label: sealed ? t('detail.passport') : term,
  value: (
    <bdi className={sealed && 'mono'} dir={isLatin || sealed ? 'ltr' : undefined}>
      {value || '–'}
    </bdi>
  ),
  shared: isShared ? value : null,
});

/** Who has claimed it, and until when. */
function holderWords(
  t: Translate<'desk'>,
  language: Language,
  { holder, visa }: TravellerView,
): ReactNode {
  if (visa.decidedAt) return '–';
  if (!holder) return t('decision:group.holder.nobody');
  const { name, until } = holder;
  const time = formatMoment(until, language, UTC, 'time');
  return name === null ? (
    t('decision:group.holder.mine', { time })
  ) : (
    <strong>{t('decision:group.holder.theirs', { name, time })}</strong>
  );
}

/** What somebody should look at before deciding. */
function Marks({ one, now, t }: { one: TravellerView; now: number; t: Translate<'desk'> }) {
  const { visa, hasDuplicate, isBeingRefunded, hasLeft } = one;
  const marks = [
    ...applicationWarnings(visa, now).map((name) =>
      t(`detail.${name}`, { months: PASSPORT_MONTHS }),
    ),
    ...(hasDuplicate ? [t('case-file:duplicates.title', { count: 1 })] : []),
    ...(visa.pausedAt && !visa.decidedAt ? [t('decision:group.asked')] : []),
    ...(isBeingRefunded && !visa.decidedAt ? [t('decision:group.refunding')] : []),
    ...(hasLeft ? [t('decision:group.left')] : []),
  ];
  if (marks.length === 0) return '–';
  return (
    <ul className="grid gap-1 font-semibold text-amber">
      {marks.map((mark) => (
        <li key={mark}>{mark}</li>
      ))}
    </ul>
  );
}
