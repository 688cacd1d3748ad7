import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build, parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { projectRoot } from '~/platform/config/root.server.ts';

const source = join(projectRoot, 'src');

/** Emails, staff's pages and the lab have styles of their own; `.server.ts` draws no visitor's page. */
const isOfVisitors = (file: string) =>
  /(?<!\.test|\.server)\.tsx?$/.test(file) &&
  !/^(features\/(desk|staff|email)|lab|platform)\/|\/testing\//.test(file);

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(isOfVisitors);

/** The classes written in the code of visitors' pages. */
function writtenClasses(): Set<string> {
  const classes = new Set<string>();
  for (const file of files) {
    const code = readFileSync(join(source, file), 'utf8');
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
      TemplateElement: ({ value }) => add(value.raw),
    }).visit(parseSync(file, code).program);
  }
  return classes;
}

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

/** Classes that scripts and tests look for, and words that stand beside classes in the code. */
const WITHOUT_RULES = new Set(
  `country-field country-option save-later failure-reference staff-dot language-button language-menu test-mode
  check-answer hero-actions insurance-panel error-summary toast skip-link total-note
  timeline plain aria-disabled panel rows pairs h2 arrow next`.split(/\s+/),
);

test('every class on a visitor’s page has a rule in the style sheet that the page loads', async () => {
  const built = new Set([
    ...(await builtClasses('styles.css')),
    ...(await builtClasses('ui/css/print.css')),
    // Comes with the camera.
    ...(await builtClasses('features/visa/passport-reader/camera.css')),
  ]);
  expect(built.size).toBeGreaterThan(300);
  const names = [...writtenClasses()].filter((name) => /^[a-z[][^]*[^-]$/.test(name));
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => !built.has(name) && !WITHOUT_RULES.has(name))).toEqual([]);
});
