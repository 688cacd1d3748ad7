import { Form } from 'react-router';
import { CodeField } from '~/features/staff/code-field.tsx';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/** The identity provider on one's own account page. */
export type OwnSignOn = {
  /** What staff call the provider. */
  name: string;
  isConnected: boolean;
  /** Whether they have just proved that it is them, which connecting asks for. */
  isProved: boolean;
};

/** Connects one's own account to the identity provider: first the second factor or the password, then the provider. */
export function SignOnSection({
  singleSignOn: { name, isConnected, isProved },
  hasSecondFactor,
  error,
}: {
  singleSignOn: OwnSignOn;
  hasSecondFactor: boolean;
  error: string | undefined;
}) {
  const { t } = useTranslation('staff');
  const href = useHref('/admin/single-sign-on');
  return (
    <section>
      <h2>{t('signOn.title')}</h2>
      {isConnected ? (
        <p>{t('signOn.connected', { name })}</p>
      ) : isProved ? (
        <>
          <p role="status">{t('signOn.proved')}</p>
          <p>
            <ButtonAnchor href={`${href}?for=connect&next=/admin/account`} look="secondary" small>
              {t('signOn.connect', { name })}
            </ButtonAnchor>
          </p>
        </>
      ) : (
        <>
          <p>{t('signOn.connectLead', { name })}</p>
          <Form method="post">
            {hasSecondFactor ? (
              <CodeField
                error={error}
                hint={t('recovery.codeHint')}
                label={t('signIn.code')}
                name="proof"
              />
            ) : (
              <TextField
                autoComplete="current-password"
                error={error}
                label={t('password.current')}
                latin
                name="proof"
                type="password"
              />
            )}
            <Button look="secondary" name="intent" small value="prove">
              {t('signOn.prove')}
            </Button>
          </Form>
        </>
      )}
    </section>
  );
}
