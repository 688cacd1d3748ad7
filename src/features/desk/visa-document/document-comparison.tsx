import { Fragment } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { Icon } from '~/ui/icon.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { ComparisonView } from './comparison-view.server.ts';
import { comparedFacts, isMatch, type ComparedFact } from './comparison.ts';

/** The application's facts, each marked by whether the PDF contains it; what needs a check comes first. */
export function DocumentComparison({ match, instead, usedFor, facts }: ComparisonView) {
  const { t } = useTranslation(['decision', 'desk']);
  const language = useLanguage();
  const shown = (fact: ComparedFact) => {
    const date = fact === 'dateOfBirth' ? parseDate(facts[fact]) : null;
    return date ? formatDate(date, language) : facts[fact];
  };
  return (
    <section
      aria-label={t('compare.title')}
      className="grid gap-2.5 rounded-card border border-line bg-paper p-4"
    >
      <h2>{t('compare.title')}</h2>
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
      {match === null ? <Notice tone="amber">{t('compare.unread')}</Notice> : null}
      {match !== null && !isMatch(match) ? (
        <Notice tone="red">{t('compare.differs')}</Notice>
      ) : null}
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,230px),1fr))] gap-x-5 gap-y-2.5">
        {comparedFacts.map((fact) => (
          <div key={fact}>
            <dt className="text-fine text-ink-2">{t(`compare.fact.${fact}`)}</dt>
            <dd className="grid gap-0.5 font-semibold wrap-anywhere">
              <bdi className={fact === 'passportNumber' ? 'mono' : undefined}>{shown(fact)}</bdi>
              {match === null ? null : (
                <span
                  data-testid={match[fact] ? 'found' : 'missing'}
                  className={`flex items-center gap-1 text-fine ${match[fact] ? 'text-green' : 'text-error'}`}
                >
                  <Icon name={match[fact] ? 'check' : 'alert'} />
                  {t(match[fact] ? 'compare.found' : 'compare.missing')}
                </span>
              )}
              {instead[fact] ? (
                <span className="text-fine font-normal" data-testid={`instead-${fact}`}>
                  {t('compare.instead')}{' '}
                  {instead[fact].map((written, index) => (
                    <Fragment key={written}>
                      {index > 0 ? ' · ' : null}
                      <bdi className={`font-semibold ${fact === 'passportNumber' ? 'mono' : ''}`}>
                        {written}
                      </bdi>
                    </Fragment>
                  ))}
                </span>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
