import { Component, type ReactNode } from 'react';

/** Foreign components may throw while they are drawn; the page stays. */
export class RenderGuard extends Component<
  { onError: () => void; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch() {
    this.props.onError();
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
