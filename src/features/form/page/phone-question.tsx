import type { FormEvent, ReactNode } from 'react';
import {
  countryOfNumber,
  numberWithCodeOf,
  PHONE_COUNTRY,
  phoneCodeOptions,
  type PhoneCodes,
} from '~/features/application/phone-codes.ts';
import { CountryField } from '~/features/catalog/picker/country-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Question } from './question.tsx';
import type { FieldErrors } from './use-field-errors.tsx';

/**
 * A phone number with a country beside it, whose code the server adds to a number without one. With scripts, a typed or
 * autofilled code selects its country, and another choice replaces the code.
 */
export function PhoneQuestion({
  form,
  codes,
  nationality = '',
  hint,
}: {
  form: FieldErrors<'phone'>;
  codes: PhoneCodes;
  /** Nationality, by which the country is chosen at first. */
  nationality?: string;
  hint: ReactNode;
}) {
  const { t } = useTranslation('form');
  const options = phoneCodeOptions(codes);
  const { phone = '', [PHONE_COUNTRY]: chosen = '' } = form.start;
  const preferred = chosen === '' ? nationality : chosen;
  const named = countryOfNumber(phone, options, preferred);

  function follow({ target, currentTarget }: FormEvent<HTMLDivElement>) {
    const number = currentTarget.querySelector<HTMLInputElement>('input[name="phone"]');
    const country = currentTarget.querySelector<HTMLSelectElement>(
      `select[name="${PHONE_COUNTRY}"]`,
    );
    if (!number || !country) return;
    if (target === country) number.value = numberWithCodeOf(number.value, options, country.value);
    else if (target === number) {
      const typed = countryOfNumber(number.value, options, country.value);
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
      <Question field="phone" form={form} hint={hint} />
    </div>
  );
}
