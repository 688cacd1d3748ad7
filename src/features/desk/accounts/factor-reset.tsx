import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import type { FactorReason } from '~/features/staff/accounts/accounts.server.ts';
import { CodeField } from '~/features/staff/code-field.tsx';
import { Button } from '~/ui/button.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';

/**
 * Resets the second factor of somebody who lost phone and recovery codes: asks for account, reason, and the
 * administrator's own code.
 */
export function FactorReset({
  people,
  reasons,
  errorAt,
}: {
  people: readonly { id: string; name: string; email: string }[];
  reasons: readonly FactorReason[];
  errorAt: (name: string) => string | undefined;
}) {
  const { t } = useTranslation('staff');
  const choose = t('accounts.factorChoose');
  return (
    <section>
      <h2>{t('accounts.factorTitle')}</h2>
      <p className="text-ink-2">{t('accounts.factorLead')}</p>
      <Form method="post">
        <SelectField
          emptyLabel={choose}
          error={errorAt('account')}
          label={t('accounts.who')}
          name="account"
          options={people.map(({ id, name, email }) => ({
            value: id,
            label: `${name} (${email})`,
          }))}
        />
        <SelectField
          emptyLabel={choose}
          error={errorAt('reason')}
          label={t('accounts.factorReason')}
          name="reason"
          options={reasons.map((value) => ({ value, label: t(`accounts.factorReasons.${value}`) }))}
        />
        <CodeField
          error={errorAt('code')}
          hint={t('recovery.codeHint')}
          label={t('accounts.factorCode')}
        />
        <Button look="secondary" name="intent" small value="factor">
          {t('accounts.resetFactor')}
        </Button>
      </Form>
    </section>
  );
}
