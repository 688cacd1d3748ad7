import { startTransition, type ComponentType, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadTexts } from '~/i18n/browser-texts.ts';
import { ReferenceProvider, referenceOnPage } from '~/features/site/reference.tsx';
import { PageErrorBoundary } from '~/features/site/page-error-boundary.tsx';
import { leaveToBrowser } from '~/ui/answers-form.ts';
import { fetchAhead, fetchWhenUsed } from '~/ui/page/older-page.ts';
import type { PageData, PageFiles } from '~/ui/page/page-data.ts';
import { MarkRun } from './mark-run.tsx';
import { asFunction, PageRoot, type PageProps } from './page-root.tsx';
import { RestProvider } from '~/ui/texts/page-texts.tsx';
import { TextsProvider } from '~/ui/texts/texts.tsx';

type Module = { default: ComponentType };

/** Hydrates what the server has drawn in a visitor's `main`, from the data that it was drawn from. */
export async function runPage({ modules }: PageFiles, data: PageData): Promise<void> {
  leaveToBrowser();
  const main = document.getElementById('main');
  const own = modules.at(-1);
  if (!main || own === undefined) return;
  const [{ texts, rest, neededRest }, { default: page }, ...frames] = await Promise.all([
    loadTexts(document),
    fetchModule(own),
    ...modules.slice(0, -1).map(fetchModule),
  ]);
  // A visitor who begins to use the first step will probably need the next ones.
  fetchAhead(rest);
  fetchWhenUsed();
  const components = {
    page: asFunction<PageProps>(page),
    frames: frames.map((frame) => asFunction<{ children: ReactNode }>(frame.default)),
  };
  startTransition(() => {
    hydrateRoot(
      main,
      <TextsProvider texts={texts}>
        <MarkRun />
        <RestProvider value={neededRest}>
          <ReferenceProvider value={referenceOnPage(document)}>
            <PageErrorBoundary>
              <PageRoot components={components} data={data} />
            </PageErrorBoundary>
          </ReferenceProvider>
        </RestProvider>
      </TextsProvider>,
    );
  });
}

const fetchModule = (file: string): Promise<Module> => import(/* @vite-ignore */ file);
