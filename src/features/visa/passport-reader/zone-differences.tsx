import type { Typed } from '~/features/form/answers/controls.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { NATIONALITY_CONFIRMED, ZONE } from '../rules/typed.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { isolated } from '~/base/isolated.ts';
import { confirmationOf, countryOfZone, differencesOf, type ZoneAnswers } from './differences.ts';
import { useZoneValue } from './zone-summary.tsx';
import { parseZone } from './zone.ts';

/** What was typed otherwise than the passport's lines have it. It may be right: this warns and lets go on. */
export function ZoneDifferences({
  answers,
  country,
  typed,
  nameOf,
}: {
  answers: ZoneAnswers;
  /** The chosen nationality, by its name. */
  country: { name: string } | null;
  typed: Typed;
  /** The name of a country by its code; null where it is not known. */
  nameOf: (code: string) => string | null;
}) {
  const { t } = useTranslation('visa');
  const valueOf = useZoneValue();
  const zone = parseZone(typed[ZONE]);
  const differing = zone ? differencesOf(zone, answers) : [];
  if (!zone || differing.length === 0) return null;
  const { nationality } = zone;
  const confirmation = confirmationOf(zone, answers.countryId ?? '');
  return (
    <Notice role="status" title={t('reader.differs')} tone="amber">
      <ul>
        {differing.map((field) => (
          <li key={field}>
            {field === 'countryId'
              ? t('reader.otherNationality', {
                  passport: nameOf(countryOfZone(zone)) ?? isolated(nationality),
                  country: country?.name ?? '',
                })
              : t('reader.value', { label: t(`labels.${field}`), value: valueOf(zone, field) })}
          </li>
        ))}
      </ul>
      <p className="mt-2">{t('reader.differsText')}</p>
      {differing.includes('countryId') ? (
        <CheckBox
          className="mt-3"
          defaultChecked={typed[NATIONALITY_CONFIRMED] === confirmation}
          key={confirmation}
          label={t('reader.confirmNationality', { country: country?.name ?? '' })}
          name={NATIONALITY_CONFIRMED}
          value={confirmation}
        />
      ) : null}
    </Notice>
  );
}
