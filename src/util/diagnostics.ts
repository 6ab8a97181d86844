/** Something worth knowing that is not an error of the caller. Reported, never thrown. */
export type Diagnostic =
  | {
      readonly code: 'NOISE_LINE';
      readonly message: string;
      readonly line: string;
    }
  | {
      readonly code: 'LINE_TOO_LONG';
      readonly message: string;
      readonly length: number;
      readonly limit: number;
    }
  | {
      readonly code: 'BROKEN_FRAME';
      readonly message: string;
      readonly frame: unknown;
    };

/** The one place where diagnostics go. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void;
