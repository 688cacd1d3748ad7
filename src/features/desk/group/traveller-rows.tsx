import type { ReactNode } from 'react';
import { formatDate, formatDateShort, formatMoment, parseDate, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { formatMoney } from '~/base/money.ts';
import type { Translate } from '~/base/read-text.ts';
import { PASSPORT_MONTHS } from '~/features/form/answers/limits.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Link } from '~/ui/page/link.tsx';
import { warningsOf } from '../case-file/application-warnings.tsx';
import { ApplicationStatusTag, DueMarker } from '../frame/queue-row-state.tsx';
import { speedWords } from '../frame/speed-words.ts';
import type { TravellerView } from './group-view.server.ts';

export type TravellerRow = {
  label: string;
  value: ReactNode;
  /** What ordinarily is the same for all travellers of an order; null where it is each one's own. */
  shared: string | null;
};

/** What stands of a traveller beside the others: the same rows for everybody, in the same order. */
export function rowsOf(
  t: Translate<'desk'>,
  language: Language,
  one: TravellerView,
  now: number,
): TravellerRow[] {
  const { visa: application, insurance } = one;
  const { visa } = application;
  const day = (text: string | null | undefined, format = formatDateShort): string => {
    const date = text ? parseDate(text) : null;
    return date ? format(date, language) : (text ?? '');
  };
  const own = (label: string, value: ReactNode): TravellerRow => ({ label, value, shared: null });
  const shared = (label: string, value: string, shown: ReactNode = value): TravellerRow => ({
    label,
    value: shown,
    shared: value,
  });
  const latin = (text: string) => <bdi dir="ltr">{text}</bdi>;
  const { promisedAt, decidedAt, pausedAt, paid } = application;
  const support = visa?.supportingDocument;
  const country = t('detail.nationalityValue', {
    country: application.country,
    document: t(`detail.travelDocument.${application.travelDocument}`, application.travelDocument),
  });
  const speed = speedWords(t, {
    kind: 'visa',
    service: application.service,
    withDocument: Boolean(support),
  });
  return [
    own(
      t('decision:group.state'),
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <ApplicationStatusTag status={application.status} />
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
    own(
      t('detail.passport'),
      visa ? <span className="mono">{latin(visa.passportNumber)}</span> : '–',
    ),
    shared(t('detail.nationality'), country),
    own(t('detail.born'), `${day(application.dateOfBirth)}, ${visa?.placeOfBirth ?? ''}`),
    own(
      t('detail.issuedExpires'),
      visa
        ? t('detail.period', {
            from: day(visa.passportIssueDate),
            to: day(visa.passportExpiryDate),
          })
        : '–',
    ),
    own(t('detail.mother'), visa ? latin(visa.motherName) : '–'),
    own(t('detail.father'), visa ? latin(visa.fatherName) : '–'),
    shared(t('detail.arrival'), day(application.startsOn, formatDate)),
    shared(t('detail.processing'), speed ?? application.service),
    own(
      t('detail.allows'),
      visa
        ? t('detail.allowsValue', {
            count: visa.stayDays,
            entries: t(`detail.${visa.entries}`),
          })
        : '–',
    ),
    own(
      t('detail.supportingDocument'),
      support ? [t(`detail.${support.type}`), support.issuer].filter(Boolean).join(', ') : '–',
    ),
    shared(t('detail.email'), application.email, latin(application.email)),
    own(t('detail.phone'), latin(application.phoneGrouped)),
    shared(t('detail.address'), visa?.address ?? '–', latin(visa?.address ?? '–')),
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
    own(t('detail.total'), <bdi>{formatMoney(application.total, language)}</bdi>),
  ];
}

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
    ...warningsOf(visa, now).map((name) => t(`detail.${name}`, { months: PASSPORT_MONTHS })),
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
