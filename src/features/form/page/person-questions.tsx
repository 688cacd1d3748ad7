import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldRow } from '~/ui/layout.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { ONE_NAME } from '../answers/controls.ts';
import { Question } from './question.tsx';
import type { FieldErrors } from './use-field-errors.tsx';
import type { FormEvent } from 'react';
import {
  phoneNumberCountry,
  replacePhoneCode,
  PHONE_COUNTRY,
  phoneCodeOptions,
  type PhoneCodes,
} from '~/features/application/phone-codes.ts';
import { CountryField } from '~/features/catalog/picker/country-field.tsx';

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
        <Link className="inline-block py-3" to="/privacy">
          {t('names.privacy')}
        </Link>
      </p>
      <FieldRow>
        <Question field="lastName" form={form} />
        <div className={unlessOneName}>
          <Question field="firstName" form={form} hint={t('names.firstName')} />
        </div>
      </FieldRow>
      <CheckBox
        defaultChecked={form.start[ONE_NAME] === 'yes'}
        label={t('names.one')}
        name={ONE_NAME}
      />
    </div>
  );
}

/**
 * A phone number with a country beside it, whose code the server adds to a number without one. With scripts, a typed or
 * autofilled code selects its country, and another choice replaces the code.
 */
export function PhoneQuestion({
  form,
  codes,
  nationality = '',
}: {
  form: FieldErrors<'phone'>;
  codes: PhoneCodes;
  /** Nationality, by which the country is chosen at first. */
  nationality?: string;
}) {
  const { t } = useTranslation('form');
  const options = phoneCodeOptions(codes);
  const { phone = '', [PHONE_COUNTRY]: chosen = '' } = form.start;
  const preferred = chosen === '' ? nationality : chosen;
  const named = phoneNumberCountry(phone, options, preferred);

  function follow({ target, currentTarget }: FormEvent<HTMLDivElement>) {
    const number = currentTarget.querySelector<HTMLInputElement>('input[name="phone"]');
    const country = currentTarget.querySelector<HTMLSelectElement>(
      `select[name="${PHONE_COUNTRY}"]`,
    );
    if (!number || !country) return;
    if (target === country) number.value = replacePhoneCode(number.value, options, country.value);
    else if (target === number) {
      const typed = phoneNumberCountry(number.value, options, country.value);
      if (typed !== '') country.value = typed ?? '';
    }
  }

  return (
    <div className="contents" onInput={follow}>
      <CountryField
        label={t('phoneCountry')}
        name={PHONE_COUNTRY}
        options={options}
        value={named === '' ? preferred : (named ?? '')}
      />
      <Question field="phone" form={form} />
    </div>
  );
}
