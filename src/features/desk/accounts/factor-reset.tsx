import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import type { FactorReason } from '~/features/staff/accounts/accounts.server.ts';
import { CodeField } from '~/features/staff/code-field.tsx';
import { Button } from '~/ui/button.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';

/**
 * Resets the second factor of somebody who lost phone and recovery codes: asks for account, reason, and the
 * administrator's own code, or that they sign in at the identity provider again.
 */
export function FactorReset({
  people,
  reasons,
  errorAt,
  hasSecondFactor,
  again,
}: {
  /** Whether the administrator has codes of their own to type. */
  hasSecondFactor: boolean;
  /** The identity provider whose second factor they proved; and whether they have just done so again. */
  again: { name: string; isProved: boolean } | null;
  people: readonly { id: string; name: string; email: string }[];
  reasons: readonly FactorReason[];
  errorAt: (name: string) => string | undefined;
}) {
  const { t } = useTranslation('staff');
  const href = useHref('/admin/single-sign-on');
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
        {again?.isProved ? (
          <p role="status">{t('signOn.proved')}</p>
        ) : again ? (
          <p>
            <a href={`${href}?for=again&next=/admin/accounts`}>
              {t('signOn.again', { name: again.name })}
            </a>
          </p>
        ) : null}
        {again && (again.isProved || !hasSecondFactor) ? null : (
          <CodeField
            error={errorAt('code')}
            hint={t('recovery.codeHint')}
            label={t('accounts.factorCode')}
          />
        )}
        <Button look="secondary" name="intent" small value="factor">
          {t('accounts.resetFactor')}
        </Button>
      </Form>
    </section>
  );
}
