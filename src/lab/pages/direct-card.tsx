import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Button } from '~/ui/button.tsx';
import { FieldRow, FormActions, FormFields } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import {
  checkDirectCard,
  digits,
  directCardFields,
  type DirectCard,
  type DirectCardError,
  type DirectCardField,
} from '../direct-card.ts';
import { HomeLink } from '../paypal-page/lab-frame.tsx';
import { groupCardNumber } from '../gateway/test-cards.ts';

type Errors = Partial<Record<DirectCardField, DirectCardError>>;

const formats: Record<DirectCardField, (typed: string) => string> = {
  cardHolder: (typed) => typed,
  cardNumber: groupCardNumber,
  'expiryDate-month': (typed) => digits(typed, 2),
  'expiryDate-year': (typed) => digits(typed, 2),
  cvv: (typed) => digits(typed, 4),
};

/** Checks only. There is no form element, so that a browser cannot send anything. */
function DirectCardPage() {
  const { t } = useTranslation('lab');
  const hasScripts = useHasScripts();
  const group = useRef<HTMLDivElement>(null);
  const [errors, setErrors] = useState<Errors | null>(null);
  const isGood = errors !== null && Object.keys(errors).length === 0;

  function check() {
    const found = checkDirectCard(read(group.current));
    setErrors(found);
    const wrong = directCardFields.find((field) => found[field]);
    if (wrong) document.getElementById(wrong)?.focus();
  }

  const field = (name: DirectCardField, maxLength: number) => ({
    name,
    label: t(`directCard.field.${name}`),
    error: errors?.[name] && t(`directCard.error.${errors[name]}`),
    // Browsers must not offer a real card here.
    autoComplete: 'off',
    inputMode: name === 'cardHolder' ? ('text' as const) : ('numeric' as const),
    latin: true,
    maxLength,
    onInput: (event: FormEvent<HTMLInputElement>) => {
      const input = event.currentTarget;
      const formatted = formats[name](input.value);
      if (formatted !== input.value) input.value = formatted;
    },
  });

  return (
    <>
      <Notice title={t('directCard.note.title')} tone="blue">
        <p>{t('directCard.note.text')}</p>
      </Notice>
      <div aria-label={t('page.directCard.title')} className="mt-6" ref={group} role="group">
        <FormFields>
          <TextField {...field('cardHolder', 100)} width="email" />
          <TextField {...field('cardNumber', 19)} hint={t('directCard.numberHint')} mono />
          <FieldRow>
            <TextField
              {...field('expiryDate-month', 2)}
              hint={t('directCard.twoDigits')}
              mono
              width="short"
            />
            <TextField
              {...field('expiryDate-year', 2)}
              hint={t('directCard.twoDigits')}
              mono
              width="short"
            />
          </FieldRow>
          <TextField {...field('cvv', 4)} hint={t('directCard.cvvHint')} mono width="short" />
        </FormFields>
        <FormActions>
          <Button disabled={!hasScripts} onClick={check} type="button">
            {t('directCard.check')}
          </Button>
        </FormActions>
      </div>
      <div aria-live="polite" className="mt-6">
        {isGood ? (
          <Notice title={t('directCard.good.title')} tone="green">
            <p>{t('directCard.good.text')}</p>
          </Notice>
        ) : null}
      </div>
      <HomeLink />
    </>
  );
}

/** Read from the fields, so that what was typed before scripts ran counts. */
function read(group: HTMLElement | null): DirectCard {
  const value = (name: DirectCardField) => {
    const input = group?.querySelector(`[name="${name}"]`);
    return input instanceof HTMLInputElement ? input.value : '';
  };
  return {
    cardHolder: value('cardHolder'),
    cardNumber: value('cardNumber'),
    'expiryDate-month': value('expiryDate-month'),
    'expiryDate-year': value('expiryDate-year'),
    cvv: value('cvv'),
  };
}

export { DirectCardPage as default };
