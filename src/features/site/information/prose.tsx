import type { ReactNode } from 'react';
import { Link } from '~/ui/page/link.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { Block, FigureName, Inline } from './article.ts';

export function Words({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => <Word key={index} part={part} />);
}

function Word({ part }: { part: Inline }) {
  if (part.kind === 'text') return part.text;
  const words = <Words parts={part.children} />;
  if (part.kind === 'strong') return <strong>{words}</strong>;
  return part.href.startsWith('/') ? (
    <Link to={part.href}>{words}</Link>
  ) : (
    <a href={part.href}>{words}</a>
  );
}

/** The blocks of a section. `figure` renders those that come from data. */
export function Prose({
  blocks,
  figure,
}: {
  blocks: readonly Block[];
  figure: (name: FigureName) => ReactNode;
}) {
  return blocks.map((block, index) => <Part block={block} figure={figure} key={index} />);
}

function Part({ block, figure }: { block: Block; figure: (name: FigureName) => ReactNode }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Words parts={block.children} />
        </p>
      );
    case 'notice':
      return (
        <Notice tone="blue">
          <p>
            <Words parts={block.children} />
          </p>
        </Notice>
      );
    case 'heading':
      return (
        <h3 className="mt-6">
          <Words parts={block.children} />
        </h3>
      );
    case 'list':
      return <List block={block} />;
    case 'table':
      return <Table block={block} />;
    case 'figure':
      return figure(block.name);
  }
}

function List({ block }: { block: Extract<Block, { kind: 'list' }> }) {
  const items = block.items.map((item, index) => (
    <li key={index}>
      <Words parts={item} />
    </li>
  ));
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

/** The first column names the row. */
function Table({ block }: { block: Extract<Block, { kind: 'table' }> }) {
  return (
    <table className="figures-table mt-5">
      <thead>
        <tr>
          {block.head.map((cell, index) => (
            <th key={index} scope="col">
              <Words parts={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map(([name = [], ...cells], row) => (
          <tr key={row}>
            <th scope="row">
              <Words parts={name} />
            </th>
            {cells.map((cell, index) => (
              <td key={index}>
                <Words parts={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
