import type { Typed } from '~/features/form/answers/controls.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { ZONE } from '../rules/typed.ts';
import { differencesOf, type ZoneAnswers } from './differences.ts';
import { useZoneValue } from './zone-summary.tsx';
import { parseZone } from './zone.ts';

/** What was typed otherwise than the passport's lines have it. It may be right: this warns and lets go on. */
export function ZoneDifferences({
  answers,
  country,
  typed,
}: {
  answers: ZoneAnswers;
  /** The chosen nationality, by its name. */
  country: { name: string } | null;
  typed: Typed;
}) {
  const { t } = useTranslation('visa');
  const valueOf = useZoneValue();
  const zone = parseZone(typed[ZONE]);
  const differing = zone ? differencesOf(zone, answers) : [];
  if (!zone || differing.length === 0) return null;
  return (
    <Notice role="status" title={t('reader.differs')} tone="amber">
      <ul>
        {differing.map((field) => (
          <li key={field}>
            {field === 'countryId'
              ? t('reader.otherNationality', {
                  code: zone.nationality,
                  country: country?.name ?? '',
                })
              : t('reader.value', { label: t(`labels.${field}`), value: valueOf(zone, field) })}
          </li>
        ))}
      </ul>
      <p className="mt-2">{t('reader.differsText')}</p>
    </Notice>
  );
}
