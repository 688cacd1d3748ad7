import type { ReactNode } from 'react';
import {
  languageFacts,
  type Direction,
  type Language,
  languageColon,
  textDirection,
} from '~/base/languages.ts';
import {
  type EmailContent,
  type ContentRow,
  type EmailSection,
  type ListItem,
  splitAtOfficialLink,
  type Footer,
} from './content.server.ts';
import { renderToStaticMarkup } from 'react-dom/server';

/** The design tokens again, as values: mail programs do not support custom properties. */
export const colours = {
  ground: '#eeeae0',
  paper: '#ffffff',
  ink: '#0b2a3c',
  ink2: '#41586a',
  line: '#e4daca',
  line2: '#cfc3af',
  turquoise: '#0e6e78',
  cobalt: '#1f4e9e',
  brass: '#b8893b',
  sky: '#34566d',
} as const;

export const sizes = { width: 600, side: 48, stripHeight: 150 } as const;

type Fonts = { text: string; display: string };

/** Mail programs load no web fonts: names the closest fonts installed on readers' machines. */
export const fonts = (language: Language): Fonts =>
  languageFacts(language).script === 'arabic'
    ? {
        text: "'IBM Plex Sans Arabic', 'Segoe UI', Tahoma, sans-serif",
        display: "'IBM Plex Sans Arabic', 'Segoe UI', Tahoma, sans-serif",
      }
    : {
        text: "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif",
        display: "Fraunces, Georgia, 'Times New Roman', serif",
      };

const mono = "'IBM Plex Mono', Menlo, Consolas, 'Courier New', monospace";

function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <p className="text" key={text} style={{ margin: '0 0 16px' }}>
      <Linked text={text} />
    </p>
  ));
}

/** Application numbers in a box with perforated edges, as on a luggage tag. */
export function Numbers({ numbers }: { numbers: NonNullable<EmailContent['numbers']> }) {
  const perforation = `2px dashed ${colours.line2}`;
  return (
    <div
      className="rule"
      style={{
        margin: '26px 0',
        padding: '22px 0',
        borderTop: perforation,
        borderBottom: perforation,
        textAlign: 'center',
      }}
    >
      <p
        className="quiet"
        style={{ margin: '0 0 4px', color: colours.ink2, fontSize: 14, lineHeight: '20px' }}
      >
        {numbers.label}
      </p>
      {numbers.values.map((value) => (
        <p
          className="text"
          dir="ltr"
          key={value}
          style={{
            margin: 0,
            fontFamily: mono,
            fontSize: 24,
            lineHeight: '34px',
            fontWeight: 500,
            // Narrower, so that a number in groups fits on one line of a narrow screen.
            letterSpacing: '-0.01em',
          }}
        >
          {value}
        </p>
      ))}
    </div>
  );
}

/** The one button. The colour is on a table cell, because Outlook ignores it on links. */
export function Button({
  button,
  note,
  font,
}: {
  button: EmailContent['button'];
  note: string | null;
  font: string;
}) {
  return (
    <div style={{ margin: '0 0 30px', textAlign: 'center' }}>
      <table
        align="center"
        cellPadding={0}
        cellSpacing={0}
        className="wide"
        role="presentation"
        style={{ margin: '0 auto' }}
      >
        <tbody className="wide">
          <tr className="wide">
            <td
              align="center"
              className="wide"
              style={{ borderRadius: 10, backgroundColor: colours.turquoise }}
            >
              <a
                className="wide"
                href={button.href}
                style={{
                  display: 'inline-block',
                  padding: '13px 28px',
                  borderRadius: 10,
                  backgroundColor: colours.turquoise,
                  color: '#ffffff',
                  fontFamily: font,
                  fontSize: 17,
                  lineHeight: '26px',
                  fontWeight: 600,
                  textDecoration: 'none',
                }}
              >
                {button.label}
              </a>
            </td>
          </tr>
        </tbody>
      </table>
      {note === null ? null : (
        <p
          className="quiet"
          style={{ margin: '14px 0 0', color: colours.ink2, fontSize: 13, lineHeight: '20px' }}
        >
          {note}
        </p>
      )}
    </div>
  );
}

type Shared = { dir: Direction; font: Fonts; colon: string };

function Sections({ sections, ...shared }: Shared & { sections: readonly EmailSection[] }) {
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
      {section.kind === 'quote' ? <Quote dir={shared.dir} text={section.text} /> : null}
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

function List({ items, dir }: Shared & { items: readonly ListItem[] }) {
  const [start] = sides(dir);
  return (
    <Table dir={dir}>
      {items.map((item, index) => (
        <tr key={index}>
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
            {typeof item === 'string' ? (
              <Linked text={item} />
            ) : (
              <>
                {item.text}{' '}
                <a className="link" href={item.link.href} style={{ color: colours.cobalt }}>
                  {item.link.label}
                </a>
              </>
            )}
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
  section: { rows, total, facts, links },
  dir,
  colon,
}: Shared & { section: Extract<EmailSection, { kind: 'receipt' }> }) {
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
      {links.map(({ label, href }) => (
        <p key={label} style={{ margin: '12px 0 0', fontSize: 16, lineHeight: '24px' }}>
          <a className="link" href={href} style={{ color: colours.cobalt }}>
            {label}
          </a>
        </p>
      ))}
    </>
  );
}

function ReceiptRow({
  row,
  dir,
  isTotal = false,
}: {
  row: ContentRow;
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
function Quote({ text, dir }: Pick<Shared, 'dir'> & { text: string }) {
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

/**
 * A whole HTML document of tables and inline styles, as many mail programs support nothing else. `assets`: origin of
 * the pictures.
 */
export function emailHtml(content: EmailContent, assets: string): string {
  return `<!doctype html>${renderToStaticMarkup(<EmailDocument assets={assets} content={content} />)}`;
}

function EmailDocument({ content, assets }: { content: EmailContent; assets: string }) {
  const dir = textDirection(content.language);
  const { script } = languageFacts(content.language);
  const font = fonts(content.language);
  return (
    <html dir={dir} lang={content.language}>
      <head>
        <meta charSet="utf-8" />
        <meta content="width=device-width, initial-scale=1" name="viewport" />
        <meta content="light dark" name="color-scheme" />
        <meta content="light dark" name="supported-color-schemes" />
        {/* Stops iOS from turning numbers and dates into links. */}
        <meta content="telephone=no, date=no, address=no, email=no" name="format-detection" />
        <title>{content.subject}</title>
        <style>{emailStyles}</style>
      </head>
      <body
        className="ground"
        dir={dir}
        style={{ margin: 0, padding: 0, backgroundColor: colours.ground }}
      >
        <div
          style={{
            display: 'none',
            maxHeight: 0,
            overflow: 'hidden',
            fontSize: 1,
            lineHeight: '1px',
          }}
        >
          {content.preview}
        </div>
        <table
          cellPadding={0}
          cellSpacing={0}
          className="ground"
          role="presentation"
          style={{ width: '100%', backgroundColor: colours.ground }}
        >
          <tbody>
            <tr>
              <td align="center" className="outer" style={{ padding: '36px 12px' }}>
                <table
                  cellPadding={0}
                  cellSpacing={0}
                  className="card"
                  role="presentation"
                  style={{
                    width: '100%',
                    maxWidth: sizes.width,
                    borderRadius: 14,
                    backgroundColor: colours.paper,
                  }}
                >
                  <tbody>
                    <EmailHead assets={assets} dir={dir} />
                    <tr>
                      <td
                        className="inner text"
                        dir={dir}
                        style={{
                          padding: `34px ${sizes.side}px 44px`,
                          color: colours.ink,
                          fontFamily: font.text,
                          fontSize: 17,
                          lineHeight: script === 'arabic' ? '30px' : '26px',
                          textAlign: dir === 'rtl' ? 'right' : 'left',
                        }}
                      >
                        <h1
                          className="heading text"
                          style={{
                            margin: '0 0 18px',
                            fontFamily: font.display,
                            fontSize: 34,
                            lineHeight: script === 'arabic' ? '50px' : '40px',
                            fontWeight: 600,
                          }}
                        >
                          {content.heading}
                        </h1>
                        <Paragraphs texts={[content.greeting, ...content.paragraphs]} />
                        {content.words === undefined ? null : (
                          <div style={{ margin: '0 0 26px' }}>
                            <Quote dir={dir} text={content.words} />
                          </div>
                        )}
                        {content.numbers ? <Numbers numbers={content.numbers} /> : null}
                        <Button button={content.button} font={font.text} note={content.note} />
                        <Sections
                          colon={languageColon(content.language)}
                          dir={dir}
                          font={font}
                          sections={content.sections}
                        />
                        <Paragraphs texts={content.closing} />
                        <EmailFooter footer={content.footer} />
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

/** Logo and picture strip. The logo reads left to right in every language, at the start of the line. */
function EmailHead({ assets, dir }: { assets: string; dir: Direction }) {
  const mark = { width: 25, height: 34, verticalAlign: 'middle', border: 0 } as const;
  return (
    <>
      <tr>
        <td
          className="inner"
          dir="ltr"
          style={{
            padding: `30px ${sizes.side}px 18px`,
            textAlign: dir === 'rtl' ? 'right' : 'left',
          }}
        >
          <img
            alt=""
            className="light-only"
            height={34}
            src={`${assets}/email/mark.png`}
            style={mark}
            width={25}
          />
          <img
            alt=""
            className="dark-only"
            height={34}
            src={`${assets}/email/mark-light.png`}
            style={{ ...mark, display: 'none' }}
            width={25}
          />
          <span
            className="text"
            style={{
              paddingLeft: 10,
              color: colours.ink,
              fontFamily: "Fraunces, Georgia, 'Times New Roman', serif",
              fontSize: 27,
              lineHeight: '34px',
              fontWeight: 600,
              verticalAlign: 'middle',
            }}
          >
            Lale
          </span>
        </td>
      </tr>
      <tr>
        <td style={{ padding: 0, backgroundColor: colours.sky, lineHeight: 0, fontSize: 0 }}>
          <img
            alt=""
            height={sizes.stripHeight}
            src={`${assets}/email/bosphorus.png`}
            style={{ display: 'block', width: '100%', height: 'auto', border: 0 }}
            width={sizes.width}
          />
        </td>
      </tr>
    </>
  );
}

/** Who sends them, that Lale is a private service, and where the privacy policy is. */
function EmailFooter({ footer }: { footer: Footer }) {
  const [before, after] = splitAtOfficialLink(footer);
  const link = { color: colours.cobalt };
  const line = { margin: '0 0 6px', color: colours.ink2, fontSize: 13, lineHeight: '20px' };
  return (
    <div
      className="rule"
      style={{ marginTop: 30, paddingTop: 20, borderTop: `1px solid ${colours.line}` }}
    >
      <p className="quiet" style={line}>
        {before}
        <a className="link" href={footer.official.href} style={link}>
          {footer.official.label}
        </a>
        {after}
      </p>
      <p className="quiet" style={line}>
        {footer.privacy.text}{' '}
        <a className="link" href={footer.privacy.href} style={link}>
          {footer.privacy.label}
        </a>
      </p>
      <p className="quiet" style={{ ...line, margin: 0 }}>
        {footer.operator}
      </p>
    </div>
  );
}

/** Colours for dark mode by class, in the two notations that mail programs understand. */
const dark: Readonly<Record<string, string>> = {
  '.ground': 'background-color:#071b27!important',
  '.card': 'background-color:#10364b!important',
  '.text': 'color:#fff8ec!important',
  '.quiet': 'color:#b4c2c8!important',
  '.link': 'color:#a9ccff!important',
  '.rule': 'border-color:#3d5868!important',
  '.light-only': 'display:none!important',
  '.dark-only': 'display:inline-block!important;max-height:none!important',
};

const rules = (prefix: string): string =>
  Object.entries(dark)
    .map(([selector, style]) => `${prefix}${selector}{${style}}`)
    .join('');

/** The CSS besides inline styles; the email is complete in programs that ignore it. */
const emailStyles = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '.dark-only{display:none;max-height:0;overflow:hidden}',
  '@media (max-width:520px){.outer{padding:0!important}.inner{padding-left:22px!important;padding-right:22px!important}',
  '.heading{font-size:29px!important;line-height:1.25!important}.wide{display:block!important}}',
  `@media (prefers-color-scheme:dark){${rules('')}}`,
  rules('[data-ogsc] '),
].join('');
