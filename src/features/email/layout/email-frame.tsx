import type { Direction } from '~/base/languages.ts';
import { colours, sizes } from './email-look.ts';
import { aroundOfficial, type Footer } from './content.ts';

/** Logo and picture strip. The logo reads left to right in every language, at the start of the line. */
export function EmailHead({ assets, dir }: { assets: string; dir: Direction }) {
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

/** Who sends the email, that Lale is a private service, and where the privacy policy is. */
export function EmailFooter({ footer }: { footer: Footer }) {
  const [before, after] = aroundOfficial(footer);
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
