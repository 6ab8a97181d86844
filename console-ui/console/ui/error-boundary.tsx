import { Component, type ReactNode } from 'react';
import { failureText, useIsOpen } from '../store/context.js';

interface Props {
  /** What is shown; another one is tried again. */
  readonly place: string;
  readonly children: ReactNode;
}

/** Shows why a part of the page failed, for example because its code could not be loaded; the rest keeps working. */
export class ErrorBoundary extends Component<Props, { readonly problem?: string | undefined }> {
  override readonly state: { readonly problem?: string | undefined } = {};

  static getDerivedStateFromError(error: unknown) {
    return { problem: failureText(error) };
  }

  override componentDidUpdate({ place }: Props): void {
    if (place !== this.props.place && this.state.problem !== undefined) this.setState({ problem: undefined });
  }

  override render(): ReactNode {
    const { problem } = this.state;
    return problem === undefined ? this.props.children : <Failed problem={problem} />;
  }
}

function Failed({ problem }: { problem: string }) {
  const isOpen = useIsOpen();
  return (
    <div className="nothing" role="alert">
      <h2>This part of the page cannot be shown</h2>
      <p>Reload the page when the server can be reached. Sessions continue, and your drafts are kept.</p>
      <p>
        <button type="button" disabled={!isOpen} onClick={() => location.reload()}>
          Reload
        </button>
      </p>
      <p className="faint">{problem}</p>
    </div>
  );
}
