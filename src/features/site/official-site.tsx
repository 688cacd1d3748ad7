import type { ReactNode } from 'react';
import type { TextKey } from '~/base/text-keys.ts';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';

/** Where the authorities take applications themselves. */
export const OFFICIAL_SITE = 'https://www.evisa.gov.tr/en/';

export function OfficialSiteLink({ children }: { children?: ReactNode }) {
  return (
    <a dir="ltr" href={OFFICIAL_SITE} rel="external">
      {children ?? 'evisa.gov.tr'}
    </a>
  );
}

/** A sentence of `site` with the official site as `<official>…</official>` in it. */
export function OfficialSentence({ text }: { text: TextKey<'site'> }) {
  const { t } = useTranslation('site');
  return <Trans components={{ official: <OfficialSiteLink /> }} i18nKey={text} t={t} />;
}
