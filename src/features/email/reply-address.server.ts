import { isEmailAddress } from '~/base/email-address.ts';
import type { Operated } from '~/features/settings/operator.server.ts';

/** The address for replies; null while the operator's details are placeholders. */
export function replyAddress({ config }: Operated): string | null {
  const { supportEmail } = config.operator;
  return isEmailAddress(supportEmail) ? supportEmail : null;
}
