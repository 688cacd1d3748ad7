import type { ReactNode } from 'react';
import type { TextKey } from '~/base/text-keys.ts';
import { OfficialLink } from '~/ui/official-link.tsx';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';

function OfficialSiteLink({ children = 'evisa.gov.tr' }: { children?: ReactNode }) {
  return <OfficialLink>{children}</OfficialLink>;
}

/** A text of `site` with a link to the official site in place of `<official>…</official>`. */
export function OfficialSentence({ text }: { text: TextKey<'site'> }) {
  const { t } = useTranslation('site');
  return <Trans components={{ official: <OfficialSiteLink /> }} i18nKey={text} t={t} />;
}
