import type { Language } from '~/base/languages.ts';
import type { Change } from '~/features/settings/change.ts';
import {
  retentionBounds,
  settableRetention,
  SHORTENING_NOTICE_DAYS,
} from '~/features/site/retention.ts';
import { retentionAt } from '~/features/site/retention.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { SectionForm } from './handle-decision-submit.server.ts';
import type { SettingsProblem } from './typed-settings.ts';

const DAY_MS = 24 * 3_600_000;

export function retentionForm(page: string, language: Language): SectionForm {
  const t = textsIn(language, 'settings');
  const years = (count: number) => t('retention.years', { count });
  return {
    section: 'retention',
    page,
    read(typed, settings, at) {
      const then = retentionAt(settings, at);
      const problems: SettingsProblem[] = [];
      const values: Record<string, number> = {};
      for (const kind of settableRetention) {
        const { least, most } = retentionBounds[kind];
        const text = (typed[kind] ?? '').trim();
        const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
        if (count < least || count > most) {
          const bounds = { least: String(least), most: String(most) };
          problems.push({ field: kind, code: 'years_outside', values: bounds });
        } else if (text !== typed[`was-${kind}`] && count !== then[kind]) values[kind] = count;
      }
      return { values, problems };
    },
    rows(values, settings, at) {
      const then = retentionAt(settings, at);
      return settableRetention.flatMap((kind) => {
        const after = values[kind];
        if (typeof after !== 'number') return [];
        return [
          { label: t(`retention.kind.${kind}`), before: years(then[kind]), after: years(after) },
        ];
      });
    },
    fits: () => true,
    earliest(values, settings, now) {
      const then = retentionAt(settings, now);
      const isShorter = settableRetention.some(
        (kind) => Number(values[kind] ?? Infinity) < then[kind],
      );
      return isShorter ? new Date(now.getTime() + SHORTENING_NOTICE_DAYS * DAY_MS) : now;
    },
  };
}

export const retentionLines =
  (language: Language) =>
  ({ values }: Change): string[] => {
    const t = textsIn(language, 'settings');
    return settableRetention.flatMap((kind) => {
      const count = values[kind];
      if (typeof count !== 'number') return [];
      return [`${t(`retention.kind.${kind}`)}: ${t('retention.years', { count })}`];
    });
  };
