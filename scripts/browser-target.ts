import { parseAst, type Plugin } from 'vite';

/**
 * The oldest browsers that our scripts run in. Safari 15.4 is what iPhones 6s, 7 and SE keep, and the first with cascade
 * layers, which the style sheets need.
 */
export const browserTarget = ['chrome111', 'edge111', 'firefox114', 'safari15.4'];

/** Refuses a build with scripts that a browser of the target cannot read: one such sign ends the whole file there. */
export function checkBrowserTarget(): Plugin {
  return {
    name: 'lale:browser-target',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        const found = file.type === 'chunk' ? unreadableIn(file.code) : [];
        if (found.length > 0) this.error(`${file.fileName}: ${found.join(', ')}`);
      }
    },
  };
}

/**
 * What Safari 15.4 cannot read in a script that other browsers can: expressions that look behind (also in a text, from
 * which one may be made) and with the flag v, and blocks in classes. The rest of newer syntax the build writes otherwise.
 */
export function unreadableIn(code: string): string[] {
  const found = new Set<string>();
  if (/\(\?<[=!]/.test(code)) found.add('a regular expression that looks behind');
  visit(parseAst(code), (node) => {
    if (node.type === 'StaticBlock') found.add('a static block');
    const flags = 'regex' in node ? flagsOf(node.regex) : '';
    if (flags.includes('v')) found.add('a regular expression with the flag v');
  });
  return [...found];
}

const flagsOf = (regex: unknown): string =>
  isObject(regex) && 'flags' in regex ? String(regex.flags) : '';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function visit(value: unknown, see: (node: { type: unknown }) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, see);
  else if (isObject(value)) {
    if ('type' in value) see(value);
    visit(Object.values(value), see);
  }
}
