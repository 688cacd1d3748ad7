import type { ReactNode } from 'react';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { formatNumber } from '~/base/format-number.ts';

/** The address to write to when something is wrong, and the number to quote. */
export function SupportLine({
  email,
  number,
  className = 'mt-4',
}: {
  email: string;
  number: string;
  className?: string;
}) {
  const { t } = useTranslation('application');
  return (
    <p className={className}>
      <Trans
        components={{
          mail: <MailLink email={email} />,
          number: <bdi className="mono" dir="ltr" />,
        }}
        i18nKey="text.contact"
        t={t}
        values={{ email, number: formatNumber(number) }}
      />
    </p>
  );
}

/** The operator's address is a placeholder, and no link, until it is configured. */
function MailLink({ email, children }: { email: string; children?: ReactNode }) {
  return (
    <bdi dir="ltr">
      {email.includes('@') ? <a href={`mailto:${email}`}>{children}</a> : children}
    </bdi>
  );
}
