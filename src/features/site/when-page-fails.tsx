import { Component, Suspense, type ReactNode } from 'react';
import { lazyPart } from '~/ui/page/lazy-part.tsx';
import { openAnew } from '~/ui/page/older-page.ts';

/** Fetched when it is needed: a page seldom fails in the browser. */
const ErrorPage = lazyPart(async () => {
  try {
    return (await import('./error-page.tsx')).ErrorPage;
  } catch (error) {
    // The server says what is to be said.
    await openAnew();
    throw error;
  }
});

/** In place of a page that failed in the browser: words and a way on, instead of nothing. */
export class WhenPageFails extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Suspense fallback={null}>
        <ErrorPage isMissing={false} />
      </Suspense>
    );
  }
}
