import { useTranslation } from '../texts/texts.tsx';
import { tidyEmail } from '~/base/email-address.ts';
import { isolated } from '~/base/isolated.ts';
import { EMAIL_ANSWER } from './email-answer.ts';

/**
 * Stands below an e-mail field where the typed address looks mistyped, and asks which one is right. Without a question
 * it sends the earlier choice again, so that nobody is asked twice about one address.
 */
export function EmailChoice({
  typed,
  ask,
  chosen = '',
  name = EMAIL_ANSWER,
}: {
  /** What the field holds. */
  typed: string;
  /** What was probably meant; null where nothing is asked. */
  ask: string | null;
  /** What was chosen before. */
  chosen?: string;
  name?: string;
}) {
  const { t } = useTranslation('ui');
  if (ask === null)
    return chosen === '' ? null : <input name={name} type="hidden" value={chosen} />;
  const choices = [
    { value: ask, word: 'use' },
    { value: tidyEmail(typed), word: 'keep' },
  ] as const;
  return (
    <fieldset className="mt-3">
      <legend className="field-hint">{t('emailChoice.legend')}</legend>
      <div className="mt-1.5 grid gap-1">
        {choices.map(({ value, word }) => (
          <label className="check-row flex" htmlFor={`${name}-${word}`} key={word}>
            <input
              className="radio"
              id={`${name}-${word}`}
              name={name}
              type="radio"
              value={value}
            />
            <span className="radio-label grid">
              {t(`emailChoice.${word}`, { address: isolated(value) })}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
