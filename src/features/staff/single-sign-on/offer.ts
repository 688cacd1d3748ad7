import type { PasswordAccounts } from '../password-accounts.ts';
import type { SingleSignOnOffer } from '../sign-in-form.tsx';

/** What the sign-in page offers beside passwords; null without an identity provider. */
export function singleSignOnOffer({
  config,
}: {
  config: { singleSignOn?: { name: string } | undefined; passwordAccounts: PasswordAccounts };
}): SingleSignOnOffer | null {
  const { singleSignOn, passwordAccounts } = config;
  if (!singleSignOn) return null;
  const passwords =
    passwordAccounts === 'all' ? 'all' : passwordAccounts.length > 0 ? 'some' : 'none';
  return { name: singleSignOn.name, passwords };
}
