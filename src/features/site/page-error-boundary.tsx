import { Component, Suspense, type ReactNode } from 'react';
import { lazyPart } from '~/ui/page/lazy-part.tsx';
import { openAnew } from '~/ui/page/older-page.ts';

/** Loaded when needed, as pages rarely fail in the browser. */
const ErrorPage = lazyPart(async () => {
  try {
    return (await import('./error-page.tsx')).ErrorPage;
  } catch (error) {
    // Loads the page from the server, which shows the error.
    await openAnew();
    throw error;
  }
});

/** Error boundary of a page: shows the error page instead of nothing. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
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
