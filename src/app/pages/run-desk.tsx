import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { loadTexts } from '~/i18n/browser-texts.ts';
import { ReferenceProvider, referenceOnPage } from '~/features/site/reference.tsx';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { MarkRun } from './mark-run.tsx';

/** Hydrates a page of the desk with the client router, as staff go from page to page all day. */
export async function runDesk(): Promise<void> {
  const { texts } = await loadTexts(document);
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <TextsProvider texts={texts}>
          <MarkRun />
          <ReferenceProvider value={referenceOnPage(document)}>
            <HydratedRouter />
          </ReferenceProvider>
        </TextsProvider>
      </StrictMode>,
    );
  });
}
