import type { ReactNode } from 'react';
import type { TextKey } from '~/base/text-keys.ts';
import { OfficialLink } from '~/ui/official-link.tsx';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';

export function OfficialSiteLink({ children = 'evisa.gov.tr' }: { children?: ReactNode }) {
  return <OfficialLink>{children}</OfficialLink>;
}

/** A sentence of `site` with the official site as `<official>…</official>` in it. */
export function OfficialSentence({ text }: { text: TextKey<'site'> }) {
  const { t } = useTranslation('site');
  return <Trans components={{ official: <OfficialSiteLink /> }} i18nKey={text} t={t} />;
}
