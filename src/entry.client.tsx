import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { loadTexts } from './browser-texts.ts';
import { leaveToBrowser } from './ui/answers-form.ts';
import { keepPresses } from './ui/keep-presses.ts';
import { ReferenceProvider, referenceOnPage } from './features/site/reference.tsx';
import { rememberLanguage } from './ui/remember-language.ts';
import { RestProvider } from './ui/texts/page-texts.tsx';
import { TextsProvider } from './ui/texts/react-i18next.tsx';

rememberLanguage();
keepPresses();
leaveToBrowser();

const { texts, rest } = await loadTexts(document);

// Whoever begins to use the first step goes on to the next.
for (const use of ['pointerdown', 'keydown']) {
  addEventListener(use, () => void rest()?.catch(() => undefined), { once: true, passive: true });
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <TextsProvider texts={texts}>
        <RestProvider value={rest}>
          <ReferenceProvider value={referenceOnPage(document)}>
            <HydratedRouter />
          </ReferenceProvider>
        </RestProvider>
      </TextsProvider>
    </StrictMode>,
  );
});
