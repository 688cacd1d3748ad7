import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldRow } from '~/ui/layout.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { ONE_NAME } from '../answers/one-name.ts';
import { Question } from './question.tsx';
import type { FieldErrors } from './use-field-errors.tsx';

/** Hidden by CSS, so also without scripts; not where it shows a problem. */
const unlessOneName = 'group-has-[[name=oneName]:checked]/names:not-has-[.has-error]:hidden';

/**
 * Last and first name as the passport has them, or a box for a passport with one name only. They are the first personal
 * questions of every form, so a link says before them what happens with the answers.
 */
export function NameQuestions({ form }: { form: FieldErrors<'firstName' | 'lastName'> }) {
  const { t } = useTranslation('form');
  return (
    <div className="group/names form-fields">
      <p className="text-hint">
        <Link className="inline-block py-[10.5px]" to="/privacy">
          {t('names.privacy')}
        </Link>
      </p>
      <FieldRow>
        <Question field="lastName" form={form} hint={t('names.lastName')} />
        <div className={unlessOneName}>
          <Question field="firstName" form={form} hint={t('names.firstName')} />
        </div>
      </FieldRow>
      <CheckBox
        defaultChecked={form.start[ONE_NAME] === 'yes'}
        hint={t('names.oneHint')}
        label={t('names.one')}
        name={ONE_NAME}
      />
    </div>
  );
}
