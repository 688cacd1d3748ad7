import { useState, type FormEvent } from 'react';
import { classNames } from '~/ui/class-names.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import {
  cardFields,
  checkCard,
  readCard,
  type Card,
  type CardErrors,
  type CardField,
} from './card-form.ts';
import { formatCvv, formatExpiry, groupCardNumber } from '../gateway/test-cards.ts';
import { TestCardList } from './test-card-list.tsx';

const formats: Record<CardField, (typed: string) => string> = {
  cardHolder: (typed) => typed,
  cardNumber: groupCardNumber,
  expiryDate: formatExpiry,
  cvv: formatCvv,
};

const controls: Record<CardField, { maxLength: number; numeric: boolean }> = {
  cardHolder: { maxLength: 100, numeric: false },
  cardNumber: { maxLength: 19, numeric: true },
  expiryDate: { maxLength: 5, numeric: true },
  cvv: { maxLength: 3, numeric: true },
};

const nothing: Card = { cardHolder: '', cardNumber: '', expiryDate: '', cvv: '' };

/** The four fields, Pay and Cancel. Scripts format and check; the server checks again. */
export function CardEntry({
  orderRef,
  payLabel,
  typed,
  errors: answered,
}: {
  orderRef: string;
  payLabel: string;
  typed: Card | null;
  errors: CardErrors;
}) {
  const { t } = useTranslation('gateway');
  const [errors, setErrors] = useState(answered);
  const [firstError] = cardFields.flatMap((field) => errors[field] ?? []);
  const card = typed ?? nothing;

  function check(event: FormEvent<HTMLFormElement>) {
    // Read from the form, so that what was typed before scripts ran counts.
    const found = checkCard(readCard(new FormData(event.currentTarget)));
    setErrors(found);
    const wrong = cardFields.find((field) => found[field]);
    if (!wrong) return;
    event.preventDefault();
    document.getElementById(wrong)?.focus();
  }

  return (
    <>
      {firstError ? (
        <p className="gateway-alert" role="alert">
          {t(`error.${firstError === 'required' ? 'fillIn' : firstError}`)}
        </p>
      ) : null}
      <Form className="gateway-form" method="post" noValidate onSubmit={check} reloadDocument>
        <input name="order" type="hidden" value={orderRef} />
        {cardFields.map((field) => (
          <CardControl error={errors[field]} field={field} key={field} value={card[field]} />
        ))}
        <button className="gateway-pay" name="intent" type="submit" value="pay">
          {payLabel}
        </button>
      </Form>
      <CancelForm orderRef={orderRef} />
      <TestCardList />
    </>
  );
}

function CardControl({
  field,
  value,
  error,
}: {
  field: CardField;
  value: string;
  error: CardErrors[CardField];
}) {
  const { t } = useTranslation('gateway');
  const { maxLength, numeric } = controls[field];

  function formatTyped(event: FormEvent<HTMLInputElement>) {
    const input = event.currentTarget;
    const formatted = formats[field](input.value);
    if (formatted !== input.value) input.value = formatted;
  }

  return (
    <div
      className={classNames(
        'gateway-field',
        (field === 'cardHolder' || field === 'cardNumber') && 'gateway-whole',
      )}
    >
      <label htmlFor={field}>{t(`field.${field}`)}</label>
      <input
        aria-describedby={error ? `${field}-error` : undefined}
        aria-invalid={error ? true : undefined}
        // Browsers must not offer a real card here.
        autoComplete="off"
        defaultValue={value}
        dir={numeric ? 'ltr' : undefined}
        id={field}
        inputMode={numeric ? 'numeric' : 'text'}
        maxLength={maxLength}
        name={field}
        onInput={formatTyped}
        placeholder={field === 'expiryDate' ? 'MM/YY' : undefined}
        type="text"
      />
      {error ? (
        <p className="gateway-error" id={`${field}-error`}>
          {t(`error.${error}`)}
        </p>
      ) : null}
    </div>
  );
}

export function CancelForm({ orderRef }: { orderRef: string }) {
  const { t } = useTranslation('gateway');
  return (
    <Form className="gateway-form" method="post" reloadDocument>
      <input name="order" type="hidden" value={orderRef} />
      <button className="gateway-cancel" name="intent" type="submit" value="cancel">
        {t('cancel')}
      </button>
    </Form>
  );
}
