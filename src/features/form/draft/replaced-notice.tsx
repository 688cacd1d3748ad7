import { useTranslation } from '~/ui/texts/texts.tsx';
import { languageColon } from '~/base/languages.ts';
import { Notice } from '~/ui/notice.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import type { TypedAnswers } from '../answers/controls.ts';

type ReplacedNoticeProps = {
  replaced: TypedAnswers;
  /** The form whose texts name the fields (`<form>:labels.<field>`). */
  form: 'visa' | 'insurance';
  /** The keys of chosen values' texts, by control; typed values are shown as they are. */
  words: Readonly<Record<string, (value: string) => string>>;
};

/** Shows the answers of another tab that this page has replaced. */
export function ReplacedNotice({ replaced, form, words }: ReplacedNoticeProps) {
  const { t, language } = useTranslation('visa');
  useAllTexts(true);
  const colon = languageColon(language);
  const answers = Object.entries(replaced);
  if (answers.length === 0) return null;

  /** The label of a control; a date's with its part: "Date of birth (Year)". */
  function labelOf(control: string): string {
    const [field = '', part] = control.split('-');
    const label = t(`${form}:labels.${field}`, field);
    return part ? `${label} (${t(`ui:date.${part}`, part)})` : label;
  }

  return (
    <Notice className="mb-8" role="alert" title={t('elsewhere.title')} tone="amber">
      <p>{t('elsewhere.text')}</p>
      <ul>
        {answers.map(([control, value]) => (
          <li key={control}>
            {labelOf(control)}
            {colon}{' '}
            <bdi>
              {t(words[control]?.(value) ?? `${form}.${value}`, {
                defaultValue: value === 'yes' ? t('supporting_document.yes') : value,
              })}
            </bdi>
          </li>
        ))}
      </ul>
      <p>{t('elsewhere.check')}</p>
    </Notice>
  );
}
