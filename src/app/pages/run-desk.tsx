import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { loadTexts } from '~/i18n/browser-texts.ts';
import { ReferenceProvider, referenceOnPage } from '~/features/site/reference.tsx';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { MarkRun } from './mark-run.tsx';

/** Brings a page of the desk to life, with the client router: staff stay in it all day. */
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
