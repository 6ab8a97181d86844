import { createElement, type ReactNode, useEffect, useState } from 'react';

type Convert = (tex: string, options: { displayMode: boolean; throwOnError: boolean }) => string;

/** Loaded with the first formula. */
let convert: Convert | undefined;
let loading: Promise<void> | undefined;

function load(): Promise<void> {
  loading ??= import('temml').then(({ default: temml }) => {
    convert = temml.renderToString;
  });
  return loading;
}

/** A formula as MathML; its TeX until the converter is loaded, and if it is not TeX. */
export function Formula({ tex, display }: { tex: string; display: boolean }) {
  const [isLoaded, setLoaded] = useState(convert !== undefined);
  useEffect(() => {
    if (isLoaded) return;
    let isCurrent = true;
    // Without it, the TeX stays.
    load().then(
      () => isCurrent && setLoaded(true),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [isLoaded]);
  const shown = (isLoaded ? mathOf(tex, display) : undefined) ?? <code>{tex}</code>;
  return display ? (
    <div className="formula" tabIndex={0}>
      {shown}
    </div>
  ) : (
    shown
  );
}

function mathOf(tex: string, display: boolean): ReactNode {
  try {
    const text = convert?.(tex, { displayMode: display, throwOnError: true }) ?? '';
    const { documentElement } = new DOMParser().parseFromString(text, 'application/xml');
    return documentElement.localName === 'math' ? element(documentElement, 'math', display) : undefined;
  } catch {
    // The TeX itself is shown.
    return undefined;
  }
}

/** Elements of MathML that only show something: no links, no images, no foreign content. */
const ELEMENTS: ReadonlySet<string> = new Set(
  `math mrow mi mn mo mtext ms mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover
  munderover mmultiscripts mprescripts mtable mtr mtd merror`.split(/\s+/),
);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  `accent accentunder columnalign columnlines columnspacing depth displaystyle fence form height linethickness lspace
  mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric
  voffset width`.split(/\s+/),
);

function element(node: Element, key: string | number, display = false): ReactNode {
  if (!ELEMENTS.has(node.localName)) return node.textContent;
  const kept = [...node.attributes].filter(({ name }) => ATTRIBUTES.has(name));
  const children = [...node.childNodes].map((child, index) =>
    child instanceof Element ? element(child, index) : child.textContent,
  );
  return createElement(
    node.localName,
    {
      key,
      ...Object.fromEntries(kept.map(({ name, value }) => [name, value])),
      ...(display && { display: 'block' }),
    },
    ...children,
  );
}
