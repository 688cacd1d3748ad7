import type { ReactNode } from 'react';
import type { Direction } from '~/base/languages.ts';
import { colours, type Fonts } from './email-look.ts';
import type { Row, Section } from './content.ts';

type Shared = { dir: Direction; font: Fonts; colon: string };

export function Sections({ sections, ...shared }: Shared & { sections: readonly Section[] }) {
  return sections.map((section) => (
    <div key={section.title} style={{ margin: '0 0 26px' }}>
      <h2
        className="text"
        style={{
          margin: '0 0 10px',
          fontFamily: shared.font.display,
          fontSize: 21,
          lineHeight: '30px',
          fontWeight: 600,
        }}
      >
        {section.title}
      </h2>
      {section.kind === 'list' ? <List items={section.items} {...shared} /> : null}
      {section.kind === 'receipt' ? <Receipt section={section} {...shared} /> : null}
      {section.kind === 'quote' ? <Quote text={section.text} {...shared} /> : null}
    </div>
  ));
}

function Table({ dir, children }: { dir: Direction; children: ReactNode }) {
  return (
    <table
      cellPadding={0}
      cellSpacing={0}
      dir={dir}
      role="presentation"
      style={{ width: '100%', borderCollapse: 'collapse' }}
    >
      <tbody>{children}</tbody>
    </table>
  );
}

const rule = `1px solid ${colours.line}`;
const sides = (dir: Direction) =>
  dir === 'rtl' ? (['right', 'left'] as const) : (['left', 'right'] as const);

function List({ items, dir }: Shared & { items: readonly string[] }) {
  const [start] = sides(dir);
  return (
    <Table dir={dir}>
      {items.map((item) => (
        <tr key={item}>
          <td
            className="rule"
            style={{
              width: 22,
              padding: '7px 0',
              borderBottom: rule,
              color: colours.brass,
              fontSize: 13,
              verticalAlign: 'top',
            }}
          >
            <span aria-hidden="true">◆</span>
          </td>
          <td
            className="rule text"
            style={{ padding: '7px 0', borderBottom: rule, textAlign: start }}
          >
            <Linked text={item} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Links the addresses in running text, which not every mail program does. */
function Linked({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S*[^\s.,;:!?()،])/).map((part, index) =>
    // `split` with a group: every second part is an address.
    index % 2 === 1 ? (
      <a className="link" dir="ltr" href={part} key={index} style={{ color: colours.cobalt }}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}

function Receipt({
  section: { rows, total, facts, link },
  dir,
  colon,
}: Shared & { section: Extract<Section, { kind: 'receipt' }> }) {
  return (
    <>
      <Table dir={dir}>
        {rows.map((row, index) => (
          <ReceiptRow dir={dir} key={index} row={row} />
        ))}
        <ReceiptRow dir={dir} isTotal row={total} />
      </Table>
      {facts.map(({ label, value }) => (
        <p
          className="quiet"
          key={label}
          style={{ margin: '8px 0 0', color: colours.ink2, fontSize: 14, lineHeight: '20px' }}
        >
          {label}
          {colon} <span dir="auto">{value}</span>
        </p>
      ))}
      {link ? (
        <p style={{ margin: '12px 0 0', fontSize: 16, lineHeight: '24px' }}>
          <a className="link" href={link.href} style={{ color: colours.cobalt }}>
            {link.label}
          </a>
        </p>
      ) : null}
    </>
  );
}

function ReceiptRow({
  row,
  dir,
  isTotal = false,
}: {
  row: Row;
  dir: Direction;
  isTotal?: boolean;
}) {
  const [start, end] = sides(dir);
  const cell = {
    padding: '7px 0',
    borderBottom: isTotal ? undefined : rule,
    borderTop: isTotal ? `2px solid ${colours.ink}` : undefined,
    fontWeight: isTotal ? 600 : 400,
    verticalAlign: 'top',
  } as const;
  return (
    <tr>
      <td className="rule text" style={{ ...cell, textAlign: start }}>
        {row.label}
        {row.note === undefined ? null : (
          <span
            className="quiet"
            style={{ display: 'block', color: colours.ink2, fontSize: 14, lineHeight: '21px' }}
          >
            {row.note}
          </span>
        )}
      </td>
      <td className="rule text" style={{ ...cell, textAlign: end, whiteSpace: 'nowrap' }}>
        {row.value}
      </td>
    </tr>
  );
}

/** Text written by staff, in whatever language they chose. */
function Quote({ text, dir }: Shared & { text: string }) {
  const [start] = sides(dir);
  const border = `3px solid ${colours.brass}`;
  return (
    <p
      className="text"
      dir="auto"
      style={{
        margin: 0,
        padding: '2px 16px',
        ...(start === 'left' ? { borderLeft: border } : { borderRight: border }),
        whiteSpace: 'pre-line',
      }}
    >
      {text}
    </p>
  );
}
