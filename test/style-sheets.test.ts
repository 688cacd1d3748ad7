import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build, parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { projectRoot } from '~/platform/config/root.server.ts';
import { UNSCRIPTED } from '~/ui/unscripted.ts';

const source = join(projectRoot, 'src');
const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(source, join(entry.parentPath, entry.name)))
  .toSorted();
const textOf = (file: string) => readFileSync(join(source, file), 'utf8');

const sheets = files
  .filter((file) => file.endsWith('.css'))
  .map((file) => ({ file, css: textOf(file).replaceAll(/\/\*[^]*?\*\//g, '') }));

/** Every selector, with the classes it names and its file. */
const selectors = sheets.flatMap(({ file, css }) =>
  [...css.matchAll(/(?<=^|[{};])\s*([^@{};][^{};]*)\{/g)].flatMap(([, list = '']) =>
    list.split(/,(?![^(]*\))/).map((selector) => {
      const classes = [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name);
      return { selector: selector.trim(), classes, file };
    }),
  ),
);
const named = selectors.flatMap(({ classes, file }) => classes.map((name) => ({ name, file })));

/** The classes written in code, the prefixes completed by a value (`button-${look}`), and all words in it. */
function readCode(isRead: (file: string) => boolean = () => true) {
  const classes = new Set<string>();
  const beginnings = new Set<string>();
  const words = new Set<string>();
  for (const file of files.filter((name) => /(?<!\.test)\.tsx?$/.test(name) && isRead(name))) {
    const code = textOf(file);
    for (const [quoted] of code.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)) {
      for (const word of quoted.slice(1, -1).split(/\s+/)) words.add(word);
    }
    // To parse the other files, too, would take several times as long.
    if (!/class/i.test(code)) continue;
    let depth = 0;
    const add = (text: string) => {
      if (depth > 0) for (const word of text.split(/\s+/)) classes.add(word);
      // A page's outermost tags are written as text.
      for (const [, list = ''] of text.matchAll(/class="([^"]*)"/g)) {
        for (const word of list.split(/\s+/)) classes.add(word);
      }
    };
    new Visitor({
      JSXAttribute: ({ name }) => {
        if (name.type === 'JSXIdentifier' && /class/i.test(name.name)) depth += 1;
      },
      'JSXAttribute:exit': ({ name }) => {
        if (name.type === 'JSXIdentifier' && /class/i.test(name.name)) depth -= 1;
      },
      CallExpression: ({ callee }) => {
        if (callee.type === 'Identifier' && callee.name === 'classNames') depth += 1;
      },
      'CallExpression:exit': ({ callee }) => {
        if (callee.type === 'Identifier' && callee.name === 'classNames') depth -= 1;
      },
      Literal: ({ value }) => {
        if (typeof value === 'string') add(value);
      },
      TemplateElement: ({ value, tail }) => {
        add(value.raw);
        const last = /[\w-]+-$/.exec(value.raw);
        if (depth > 0 && !tail && last) beginnings.add(last[0]);
      },
    }).visit(parseSync(file, code).program);
  }
  return { classes, beginnings, words };
}

test('every class of a style sheet is given to something', () => {
  const { classes, beginnings, words } = readCode();
  // That of a page whose scripts were lost is given by a script that stands in the document as text.
  classes.add(UNSCRIPTED);
  const isGiven = (name: string) =>
    classes.has(name) ||
    [...beginnings].some((begin) => name.startsWith(begin) && words.has(name.slice(begin.length)));
  expect(new Set(named.map(({ name }) => name)).size).toBeGreaterThan(50);
  expect(
    named.filter(({ name }) => !isGiven(name)).map(({ name, file }) => `${file}: .${name}`),
  ).toEqual([]);
});

/** The classes that a style sheet of the build has rules for. */
async function builtClasses(sheet: string): Promise<Set<string>> {
  const built = await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'error',
    plugins: [tailwindcss()],
    build: { write: false, rollupOptions: { input: join(source, sheet) } },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const css = outputs
    .flatMap((file) => (file.type === 'asset' ? [String(file.source)] : []))
    .join('\n');
  const names = [...css.matchAll(/\.((?:\\[0-9a-f]+ |\\.|[\w-])+)/gi)].map(([, name = '']) => name);
  return new Set(
    names.map((name) =>
      name
        .replaceAll(/\\([0-9a-f]+) /gi, (_, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        )
        .replaceAll(/\\(.)/g, '$1'),
    ),
  );
}

/** Emails, staff's pages with their charts, and the lab have styles of their own; `.server.ts` draws no visitor's page. */
const isOfVisitors = (file: string) =>
  !/^(features\/(desk|staff|email)|lab|platform|ui\/chart)\/|\.server\.tsx?$|\/testing\//.test(
    file,
  );

/** Classes that scripts and tests look for, and words that stand beside classes in the code. */
const WITHOUT_RULES = new Set(
  `country-field country-option save-later failure-reference staff-dot language-button language-menu test-mode
  check-answer hero-actions insurance-panel error-summary toast skip-link total-note qr-code
  timeline plain aria-disabled panel rows pairs h2 arrow next`.split(/\s+/),
);

test('every class on a visitor’s page has a rule in the style sheet that the page loads', async () => {
  const built = new Set([
    ...(await builtClasses('styles.css')),
    ...(await builtClasses('ui/css/print.css')),
  ]);
  expect(built.size).toBeGreaterThan(300);
  const names = [...readCode(isOfVisitors).classes].filter((name) => /^[a-z[][^]*[^-]$/.test(name));
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => !built.has(name) && !WITHOUT_RULES.has(name))).toEqual([]);
});

// Rules for paper, in one place for the whole site, unlayered.
const OF_EVERYTHING = 'ui/css/print.css';
/** A state that elements of any kind can have. */
const isState = (name: string) => /^(is|has)-/.test(name);

test('the rules of a class stand in one file, or with what surrounds it there', () => {
  const own = selectors
    .map((rule) => ({ ...rule, classes: new Set(rule.classes.filter((name) => !isState(name))) }))
    .filter(({ file, classes }) => file !== OF_EVERYTHING && classes.size > 0);
  const homes = new Map<string, Set<string>>();
  for (const { classes, file } of own) {
    const [name = ''] = classes;
    if (classes.size === 1) homes.set(name, (homes.get(name) ?? new Set()).add(file));
  }
  expect(homes.size).toBeGreaterThan(50);
  expect(
    [...homes]
      .filter(([, places]) => places.size > 1)
      .map(([name, places]) => `.${name}: ${[...places].join(', ')}`),
  ).toEqual([]);
  const isAtHome = ({ classes, file }: (typeof own)[number]) =>
    [...classes].some((name) => homes.get(name)?.has(file) ?? true);
  expect(
    own.filter((rule) => !isAtHome(rule)).map(({ selector, file }) => `${file}: ${selector}`),
  ).toEqual([]);
});

/** Read by others than our style sheets. */
const readElsewhere = [
  // Names of scales, from which Tailwind makes utilities and breakpoints.
  '--breakpoint-*',
  '--breakpoint-wide',
  '--color-*',
  // The colour of PayPal's own button elements.
  '--paypal-button-color',
  // Multiplied by Tailwind: `mt-4`.
  '--spacing',
  // The position of an own utility among Tailwind's.
  '--tw-sort',
];

/** The prefixes of a token's utilities; colours have many. */
const utilities: Readonly<Record<string, string>> = {
  color: String.raw`[a-z-]+`,
  font: 'font',
  radius: String.raw`rounded(?:-[a-z]+)?`,
  shadow: 'shadow',
  text: 'text',
  tracking: 'tracking',
  type: 'text',
};

test('every custom property and animation of a style sheet is used', () => {
  const all = sheets.map(({ css }) => css).join('\n');
  const code = files
    .filter((file) => /\.tsx?$/.test(file))
    .map(textOf)
    .join('\n');
  const properties = [...all.matchAll(/(?<=[{;]\s*)(--[\w*-]+)\s*:/g)].map(([, name = '']) => name);
  expect(new Set(properties).size).toBeGreaterThan(80);
  const read = new Set(
    // `p-(--gutter)` is Tailwind's short form.
    [...`${all}${code}`.matchAll(/(?:var|-)\((--[\w-]+)/g)].map(([, name = '']) => name),
  );
  const words = [...new Set(code.match(/(?<=[\s:'"])[a-z-]+-[\w-]+(?=[\s'"/])/g))];
  const isUtility = (property: string) => {
    const [, scale = '', name = ''] = /^--([a-z]+)-([\w-]+)$/.exec(property) ?? [];
    const begin = utilities[scale];
    if (begin === undefined) return false;
    const utility = new RegExp(`^${begin}-${name}$`);
    return words.some((word) => word.endsWith(name) && utility.test(word));
  };
  const isRead = (name: string) =>
    readElsewhere.includes(name) || read.has(name) || isUtility(name);
  expect(properties.filter((name) => !isRead(name))).toEqual([]);
  const animations = [...all.matchAll(/@keyframes ([\w-]+)/g)].map(([, name = '']) => name);
  expect(
    animations.filter((name) => !new RegExp(String.raw`animation[^;{}]*\b${name}\b`).test(all)),
  ).toEqual([]);
});
