import { CheckBox } from '~/ui/fields/check-box.tsx';
import { Link } from '~/ui/page/link.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { listedName } from '~/features/application/full-name.ts';
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

/**
 * The travellers of an order beside one another, a column for each. Values that differ from what most of them say are
 * marked.
 */
export function SideBySide({
  travellers,
  latest,
  chosen,
  now,
}: {
  /** As the page was loaded: heads belong to its form. */
  travellers: readonly TravellerView[];
  /** As they are now: the rows. */
  latest: readonly TravellerView[];
  /** Numbers of those that are chosen; null for all that are open. */
  chosen: readonly string[] | null;
  now: number;
}) {
  const { t, language } = useTranslation(['desk', 'decision', 'case-file']);
  const columns = travellers.map((one) =>
    rowsOf(t, language, latest.find(({ position }) => position === one.position) ?? one, now),
  );
  return (
    // It scrolls in itself: with a name and the focus it can be scrolled by keys.
    <div
      aria-labelledby="travellers"
      className="relative mt-2.5 overflow-x-auto"
      role="region"
      tabIndex={0}
    >
      <table className="desk-table [&_td]:min-w-48 [&_td]:py-2.5 [&_td]:align-top [&_td]:wrap-anywhere [&_th]:align-top">
        <thead>
          <tr>
            <td className={STUCK} />
            {travellers.map((one) => (
              <Head
                isChosen={chosen === null || chosen.includes(one.visa.number)}
                key={one.visa.number}
                one={one}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {columns[0]?.map(({ label }, row) => {
            const cells = columns.flatMap((rows) => rows[row] ?? []);
            const values = cells.flatMap(({ shared }) => shared ?? []);
            const differs = values.length === cells.length ? differing(values) : [];
            return (
              <tr key={label}>
                <th className={`${STUCK} text-ink-2`} scope="row">
                  {label}
                </th>
                {cells.map(({ value }, column) => (
                  <td key={travellers[column]?.visa.number}>
                    {value}
                    {differs[column] ? (
                      <span className="block text-fine font-semibold text-amber">
                        {t('decision:group.differs')}
                      </span>
                    ) : null}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The labels stay while the columns scroll. */
const STUCK = 'sticky start-0 z-1 min-w-28! bg-paper';

function Head({
  one: { position, visa, may },
  isChosen,
}: {
  one: TravellerView;
  isChosen: boolean;
}) {
  const { t } = useTranslation('decision');
  const name = listedName(visa);
  return (
    <th className="min-w-48" scope="col">
      <p>{t('group.traveller', { position })}</p>
      <p className="text-base font-semibold text-ink">
        <bdi>{name}</bdi>
      </p>
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
    </th>
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
  const current = visa.documents.find(({ replacedAt }) => replacedAt === null);
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
    own(
      t('decision:group.pdf'),
      current ? (
        <a
          className="desk-link"
          href={`/admin/documents/${current.id}`}
          rel="noopener"
          target="_blank"
        >
          {t('document.view')}
        </a>
      ) : (
        '–'
      ),
    ),
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
