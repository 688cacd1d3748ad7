import { Component, type ReactNode } from 'react';

/** Error boundary for PayPal's components, so that the page stays. */
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
