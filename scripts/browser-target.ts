import { parseAst, type Plugin } from 'vite';

/**
 * The oldest browsers that our scripts run in. Safari 15.4 is what iPhones 6s, 7 and SE keep, and the first with cascade
 * layers, which the style sheets need.
 */
export const browserTarget = ['chrome111', 'edge111', 'firefox114', 'safari15.4'];

/** Refuses a build with scripts, workers' too, that a browser of the target cannot read or run. */
export function checkBrowserTarget(): Plugin {
  return {
    name: 'lale:browser-target',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        const found = findUnreadable(scriptOf(file));
        if (found.length > 0) this.error(`${file.fileName}: ${found.join(', ')}`);
      }
    },
  };
}

/** Workers are built on their own and come as files. */
function scriptOf(file: Built): string {
  if (file.type === 'chunk') return file.code;
  return file.fileName.endsWith('.js') ? Buffer.from(file.source).toString() : '';
}

type Built =
  | { readonly type: 'chunk'; readonly code: string }
  | { readonly type: 'asset'; readonly fileName: string; readonly source: string | Uint8Array };

/** Methods that Safari 15.4 or Firefox 114 lacks, whose names no other object's method has. */
const NEWER_METHODS = new Set([
  'toSorted',
  'toReversed',
  'toSpliced',
  'isWellFormed',
  'toWellFormed',
  'isSubsetOf',
  'isSupersetOf',
  'isDisjointFrom',
  'symmetricDifference',
  'checkVisibility',
  'getSetCookie',
]);
const NEWER_FUNCTIONS = new Set([
  'Object.groupBy',
  'Map.groupBy',
  'Array.fromAsync',
  'Promise.withResolvers',
  'Promise.try',
  'URL.canParse',
  'URL.parse',
  'AbortSignal.any',
  'AbortSignal.timeout',
  'RegExp.escape',
  'Iterator.from',
]);
const NEWER_GLOBALS = new Set(['OffscreenCanvas', 'requestIdleCallback', 'CompressionStream']);
/** What gives an iterator, and what only newer browsers do with one. */
const ITERATORS = new Set(['values', 'keys', 'entries', 'matchAll']);
const OF_ITERATORS = new Set(
  'map filter take drop flatMap reduce toArray some every find forEach'.split(' '),
);

/**
 * What Safari 15.4 cannot read in a script that other browsers can, where one such sign ends the whole file: expressions that
 * look behind (also in a text, from which one may be made) and with the flag v, and blocks in classes. The rest of newer
 * syntax the build writes otherwise. And what it does not have, unless the script has a method of that name itself.
 */
export function findUnreadable(code: string): string[] {
  const found = new Set<string>();
  const own = new Set<string>();
  if (/\(\?<[=!]/.test(code)) found.add('a regular expression that looks behind');
  visit(parseAst(code), (node) => {
    if (node.type === 'StaticBlock') found.add('a static block');
    const flags = 'regex' in node ? flagsOf(node.regex) : '';
    if (flags.includes('v')) found.add('a regular expression with the flag v');
    if (node.type === 'MethodDefinition' && 'key' in node) own.add(`${nameOf(node.key)}()`);
    if ((node.type === 'CallExpression' || node.type === 'NewExpression') && 'callee' in node) {
      const newer = newerIn(node.callee);
      if (newer) found.add(newer);
    }
  });
  return [...found].filter((one) => !own.has(one));
}

/** What is called here and only newer browsers have. */
function newerIn(callee: unknown): string | null {
  if (!isObject(callee)) return null;
  const name = nameOf(callee);
  if (NEWER_GLOBALS.has(name)) return name;
  if (!('property' in callee && 'object' in callee)) return null;
  const method = nameOf(callee.property);
  const of = nameOf(callee.object);
  if (NEWER_METHODS.has(method)) return `${method}()`;
  if (NEWER_FUNCTIONS.has(`${of}.${method}`)) return `${of}.${method}()`;
  const before = isObject(callee.object) && 'callee' in callee.object ? callee.object.callee : null;
  if (!OF_ITERATORS.has(method) || !isObject(before)) return null;
  if (!('property' in before && 'object' in before)) return null;
  const givesIterator =
    ITERATORS.has(nameOf(before.property)) && nameOf(before.object) !== 'Object';
  return givesIterator ? 'a method of iterators' : null;
}

const nameOf = (node: unknown): string =>
  isObject(node) && 'name' in node && typeof node.name === 'string' ? node.name : '';

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
