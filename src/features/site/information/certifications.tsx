import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Certification } from '~/features/settings/certification.ts';
import { ArticleSection } from './article-section.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The operator's certifications, each with a link to its proof; renders nothing without any. */
export function Certifications({ shown }: { shown: readonly Certification[] }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  if (shown.length === 0) return null;
  return (
    <ArticleSection id="certifications" title={t('site.certifications')}>
      <ul>
        {shown.map(({ name, number, issuer, validUntil, evidence }) => {
          const day = parseDate(validUntil);
          const words = t('site.certification', {
            name,
            number,
            issuer,
            date: day ? formatDate(day, language) : validUntil,
          });
          return (
            <li key={`${name} ${number}`}>
              {words} <a href={evidence}>{t('site.check', { name })}</a>
            </li>
          );
        })}
      </ul>
    </ArticleSection>
  );
}
