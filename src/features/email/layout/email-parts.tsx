import { colours, mono } from './email-look.ts';
import type { EmailContent } from './content.ts';

export function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <p className="text" key={text} style={{ margin: '0 0 16px' }}>
      {text}
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
