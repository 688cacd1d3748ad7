import { renderToStaticMarkup } from 'react-dom/server';
import { languageColon, textDirection, languageFacts, type Direction } from '~/base/languages.ts';
import { splitAtOfficialLink, type EmailContent, type Footer } from './content.server.ts';
import { Button, colours, fonts, Numbers, Paragraphs, Sections, sizes } from './email-parts.tsx';

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
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell of layout */}
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
        {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell of layout */}
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
