import { useEffect, useState } from 'react';
import { failureText } from '../store/context.js';

/** How many modules stay empty around a code, so cameras find it. */
const QUIET = 4;

/** A QR code; the encoder is loaded on first use. Dark on light in every colour scheme, for cameras. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [rows, setRows] = useState<readonly (readonly boolean[])[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    import('qr')
      .then(({ encodeQR }) => isCurrent && setRows(encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })))
      .catch((error: unknown) => isCurrent && setProblem(failureText(error)));
    return () => {
      isCurrent = false;
    };
  }, [text]);
  if (problem !== undefined) return <p className="problem">{problem}</p>;
  if (rows === undefined) return <p className="faint">Creating the QR code…</p>;
  const size = rows.length;
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  );
}
