import { Component, lazy, Suspense, type ReactNode } from 'react';

/** Fetched when it is needed: a page seldom fails in the browser. */
const ErrorPage = lazy(async () => ({ default: (await import('./error-page.tsx')).ErrorPage }));

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
