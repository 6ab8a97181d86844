import type { Token, Tokens } from 'marked';
import { Fragment, memo, type ReactNode, useMemo } from 'react';
import { CopyButton } from '../../shared/copy-button.js';
import { Highlighted } from '../code/highlighted.js';
import { filePlace, pictureIn } from '../files/file-links.js';
import { FilePicture } from '../files/file-picture.js';
import { PathButton } from '../files/path-button.js';
import { Picture, TextPieces } from './block-list.js';
import { Formula } from './formula.js';
import { type FormulaToken, markdownTokens } from './formula-tokens.js';
import { InSight } from './in-sight.js';
import { type MarkdownPiece, markdownPieces } from './pieces.js';
import { safeLink } from './safe-link.js';

/** Markdown as elements: HTML in it is shown as text, external images as links, and nothing is fetched from elsewhere. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const pieces = useMemo(() => markdownPieces(text), [text]);
  if (pieces.length <= 1) return <div className="markdown">{pieces.map(show)}</div>;
  return (
    <div className="markdown">
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity, and new ones only come at the end
        <InSight key={index} height={heightOf(piece)}>
          {show(piece)}
        </InSight>
      ))}
    </div>
  );
});

function show({ kind, text, lang }: MarkdownPiece): ReactNode {
  return kind === 'code' ? <Code key={0} text={text} lang={lang} /> : <Blocks key={0} text={text} />;
}

const Blocks = memo(function Blocks({ text }: { text: string }) {
  return blocks(markdownTokens(text));
});

/** Its approximate height: 80 characters per line of 24 pixels; a code block is cut off at its own height. */
function heightOf({ kind, text }: MarkdownPiece): number {
  return kind === 'code' ? 500 : (text.length / 80) * 24;
}

type Render = (token: Token) => ReactNode;

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity, and new ones only come at the end
    <Fragment key={index}>{(BLOCKS[token.type] ?? plain)(token)}</Fragment>
  ));
}

function inline(tokens: readonly Token[] | undefined, otherwise = ''): ReactNode {
  if (tokens === undefined) return otherwise;
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity, and new ones only come at the end
    <Fragment key={index}>{(INLINE[token.type] ?? plain)(token)}</Fragment>
  ));
}

/** Anything unknown, and all HTML. */
function plain(token: Token): ReactNode {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

const BLOCKS: Readonly<Record<string, Render>> = {
  space: () => null,
  hr: () => <hr />,
  heading: (token) => {
    const { depth, tokens } = token as Tokens.Heading;
    // The session's name is the heading above these.
    const Level = `h${Math.min(6, depth + 1)}` as 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
    return <Level>{inline(tokens)}</Level>;
  },
  paragraph: (token) => <p>{inline((token as Tokens.Paragraph).tokens)}</p>,
  text: (token) => inline((token as Tokens.Text).tokens, (token as Tokens.Text).text),
  html: (token) => <p className="raw">{token.raw}</p>,
  blockquote: (token) => <blockquote>{blocks((token as Tokens.Blockquote).tokens)}</blockquote>,
  code: (token) => <Code {...(token as Tokens.Code)} />,
  list: (token) => <List list={token as Tokens.List} />,
  table: (token) => <Table table={token as Tokens.Table} />,
  formula: (token) => <Formula {...(token as Token & FormulaToken)} />,
};

const INLINE: Readonly<Record<string, Render>> = {
  strong: (token) => <strong>{inline((token as Tokens.Strong).tokens)}</strong>,
  em: (token) => <em>{inline((token as Tokens.Em).tokens)}</em>,
  del: (token) => <del>{inline((token as Tokens.Del).tokens)}</del>,
  codespan: (token) => <ShortCode text={(token as Tokens.Codespan).text} />,
  br: () => <br />,
  link: (token) => {
    const { href, tokens } = token as Tokens.Link;
    return <SafeLink href={href}>{inline(tokens)}</SafeLink>;
  },
  image: (token) => <Image {...(token as Tokens.Image)} />,
  formula: (token) => <Formula {...(token as Token & FormulaToken)} />,
  html: (token) => token.raw,
  text: (token) => inline((token as Tokens.Text).tokens, (token as Tokens.Text).text),
};

/** A link if it is safe, otherwise its text. */
export function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeLink(href);
  if (safe === undefined) return <span>{children}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** An image of the text itself, or of a file. An external one is a link: it would tell its server who reads this. */
function Image({ href, text }: Pick<Tokens.Image, 'href' | 'text'>) {
  const picture = pictureIn(href);
  if (picture?.source !== undefined) return <Picture source={picture.source} alt={text} />;
  if (picture?.path !== undefined) return <FilePicture path={picture.path} alt={text} />;
  return <SafeLink href={href}>{text === '' ? href : text}</SafeLink>;
}

/** Inline code; a file name opens the file. */
function ShortCode({ text }: { text: string }) {
  const place = filePlace(text);
  if (place === undefined) return <code>{text}</code>;
  return (
    <PathButton place={place}>
      <code>{text}</code>
    </PathButton>
  );
}

function Code({ text, lang }: { text: string; lang?: string | undefined }) {
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{lang ?? ''}</span>
        <CopyButton text={text} className="quiet small" />
      </div>
      <pre tabIndex={0}>
        <code>
          <Highlighted text={text} language={lang} otherwise={<TextPieces text={text} raw />} />
        </code>
      </pre>
    </div>
  );
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity, and new ones only come at the end
    <li key={index} className={item.task ? 'task' : undefined}>
      {item.task && (
        <span
          role="img"
          aria-label={item.checked === true ? 'done' : 'open'}
          className="check"
          data-checked={item.checked === true}
        />
      )}
      {blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}
    </li>
  ));
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { table: Tokens.Table }) {
  return (
    <div className="table-scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <th key={index} data-align={cell.align ?? undefined}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and new ones only come at the end
            <tr key={at}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={index} data-align={cell.align ?? undefined}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
