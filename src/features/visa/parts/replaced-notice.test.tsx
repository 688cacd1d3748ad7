import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { languages } from '~/base/languages.ts';
import { loadedTexts, textsIn } from '~/i18n/translations.server.ts';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { ReplacedNotice } from './replaced-notice.tsx';

test.each(languages)("another tab's answers stand behind their labels in $name", ({ code }) => {
  const t = textsIn(code);
  const markup = renderToStaticMarkup(
    <TextsProvider texts={loadedTexts(code)}>
      <ReplacedNotice replaced={{ purpose: 'trade' }} />
    </TextsProvider>,
  );
  const colon = code === 'fr' ? '\u00a0:' : ':';
  const label = t('visa:labels.purpose');
  const answer = t('visa:what_it_allows.trade');
  expect(markup).toContain(`<li>${label}${colon} <bdi>${answer}</bdi></li>`);
});
