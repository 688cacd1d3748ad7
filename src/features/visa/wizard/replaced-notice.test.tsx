import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, test } from 'vitest';
import { languages } from '~/base/languages.ts';
import { translations } from '~/platform/translations.server.ts';
import { ReplacedNotice } from './replaced-notice.tsx';

test.each(languages)("another tab's answers stand behind their labels in $name", ({ code }) => {
  const i18n = translations(code);
  const markup = renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <ReplacedNotice replaced={{ purpose: 'trade' }} />
    </I18nextProvider>,
  );
  const colon = code === 'fr' ? '\u00a0:' : ':';
  const label = i18n.t('visa:labels.purpose');
  const answer = i18n.t('visa:what_it_allows.trade');
  expect(markup).toContain(`<li>${label}${colon} <bdi>${answer}</bdi></li>`);
});
