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
export const emailStyles = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '.dark-only{display:none;max-height:0;overflow:hidden}',
  '@media (max-width:520px){.outer{padding:0!important}.inner{padding-left:22px!important;padding-right:22px!important}',
  '.heading{font-size:29px!important;line-height:1.25!important}.wide{display:block!important}}',
  `@media (prefers-color-scheme:dark){${rules('')}}`,
  rules('[data-ogsc] '),
].join('');
