import { Fragment } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatDateShort, formatMoment, parseDate, UTC } from '~/base/dates/dates.ts';
import type { Detail } from '../records/detail.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

type Corrected = { kind: Detail['kind']; correction: Detail['corrections'][number] };

/** What a traveller corrected, before and after. */
export function CorrectionChanges({ kind, correction }: Corrected) {
  const { t } = useTranslation('decision');
  const language = useLanguage();
  const { answeredAt } = correction;
  if (!answeredAt) return null;
  return (
    <section className="desk-facts">
      <h3>
        {t('correction.changed', { moment: formatMoment(answeredAt, language, UTC, 'dated') })}
      </h3>
      <ChangedAnswers correction={correction} kind={kind} />
    </section>
  );
}

/** Each answer that was changed, before and after, with the characters marked that differ. */
export function ChangedAnswers({ kind, correction: { changes } }: Corrected) {
  const { t } = useTranslation(['decision', 'visa', 'insurance', 'desk']);
  const language = useLanguage();
  const shown = (value: string) => {
    if (value === '') return '–';
    if (value === 'unlimited') return t('desk:detail.unlimited');
    const day = parseDate(value);
    return day ? formatDateShort(day, language) : value;
  };
  if (changes.length === 0) return <p className="text-ink-2">{t('correction.nothing')}</p>;
  return (
    <dl>
      {changes.map(({ field, before, after }) => {
        const look = field.endsWith('Number') ? 'mono' : undefined;
        const [old, now] = markDiffering(shown(before), shown(after));
        return (
          <div key={field}>
            <dt>{t(`${kind}:labels.${field}`, field)}</dt>
            <dd>
              <del className="text-ink-2 no-underline">
                <span className={BESIDE}>{t('correction.before')} </span>
                <bdi className={look}>
                  <Marked parts={old} />
                </bdi>
              </del>
              <ins className="block font-semibold no-underline">
                <span className={BESIDE}>{t('correction.after')} </span>
                <bdi className={look}>
                  <Marked parts={now} />
                </bdi>
              </ins>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const BESIDE = 'text-fine font-normal text-ink-2';

type Part = { text: string; differs: boolean };

function Marked({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, differs }, index) =>
    differs ? (
      <mark className="rounded-[3px] bg-amber-ground px-px text-amber-notice" key={index}>
        {text}
      </mark>
    ) : (
      <Fragment key={index}>{text}</Fragment>
    ),
  );
}

/**
 * Two texts in parts, with those marked that differ: character by character where both are as long, otherwise what
 * stands between their common beginning and their common end.
 */
export function markDiffering(before: string, after: string): [Part[], Part[]] {
  const [one, other] = [Array.from(before), Array.from(after)];
  if (one.length === other.length) {
    const differs = one.map((letter, at) => letter !== other[at]);
    return [joinParts(one, differs), joinParts(other, differs)];
  }
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const between = (letters: readonly string[]) =>
    joinParts(
      letters,
      letters.map((_, at) => at >= start && at < letters.length - end),
    );
  return [between(one), between(other)];
}

function joinParts(letters: readonly string[], differs: readonly boolean[]): Part[] {
  const parts: Part[] = [];
  for (const [at, letter] of letters.entries()) {
    const last = parts.at(-1);
    const isOther = differs[at] ?? false;
    if (last?.differs === isOther) last.text += letter;
    else parts.push({ text: letter, differs: isOther });
  }
  return parts;
}
