import { renderToStaticMarkup } from 'react-dom/server';
import { colonIn, directionOf, factsOf } from '~/base/languages.ts';
import type { EmailContent } from './content.ts';
import { EmailFooter, EmailHead } from './email-frame.tsx';
import { Button, Numbers, Paragraphs } from './email-parts.tsx';
import { Sections } from './email-sections.tsx';
import { emailStyles } from './email-styles.ts';
import { colours, fonts, sizes } from './email-look.ts';

/**
 * A whole HTML document of tables and inline styles, as many mail programs support nothing else. `assets`: origin of
 * the pictures.
 */
export function emailHtml(content: EmailContent, assets: string): string {
  return `<!doctype html>${renderToStaticMarkup(<EmailDocument assets={assets} content={content} />)}`;
}

function EmailDocument({ content, assets }: { content: EmailContent; assets: string }) {
  const dir = directionOf(content.language);
  const { script } = factsOf(content.language);
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
                          colon={colonIn(content.language)}
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
