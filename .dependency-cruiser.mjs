import { readFileSync } from 'node:fs';
import { featureLayers, layers } from './scripts/layers.ts';

/** Who may import whom: `docs/decisions` and the layout in README.md say why. Checked by `npm test`. */
const feature = (...names) => `^src/features/(${names.map(withoutLower).join('|')})/`;

/** A feature without those of its folders that stand in a row of their own. */
const withoutLower = (name) =>
  featureLayers
    .flat()
    .filter((other) => other.startsWith(`${name}/`))
    .reduce((path, lower) => `${path}(?!${lower.slice(name.length)}/)`, name);
const TESTS = '\\.test\\.tsx?$|^test/|/testing/';
/** Route modules: React Router strips their loaders and actions from what browsers get. */
const routes = readFileSync(new URL('src/routes.ts', import.meta.url), 'utf8');
const ROUTES = `^src/(${[...routes.matchAll(/'((?:features|lab)\/[^']+)'/g)].map(([, file]) => file).join('|')})$`;

/** Rows of every feature name who at the desk did something: a foreign key to their account. */
const ACCOUNTS = '^src/features/staff/tables\\.server\\.ts$';

/** For each room of a row: the rooms of its own row and of all rows above. */
const notBelow = (rows) =>
  rows.flatMap((row, at) =>
    row.map((room) => [
      room,
      rows
        .slice(0, at + 1)
        .flat()
        .filter((other) => other !== room),
    ]),
  );

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycles-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/(app|lab|i18n|platform|ui|base)' },
      to: { circular: true },
    },
    {
      name: 'folders-stand-in-a-layer',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: [
          `^src/(${layers
            .flat()
            .filter((room) => room !== 'features')
            .join('|')})/`,
          feature(featureLayers.flat().join('|')),
        ],
      },
      to: {},
    },
    {
      name: 'base-is-pure',
      severity: 'error',
      from: { path: '^src/base/' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'pure-files-import-no-server-file',
      severity: 'error',
      from: {
        path: '^src/.*\\.ts$',
        pathNot: [ROUTES, '\\.server\\.ts$', '^src/[^/]+\\.ts$'],
      },
      to: { path: '\\.server\\.tsx?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-files-import-no-react',
      severity: 'error',
      from: {
        path: '^src/(base|features|lab)/.*\\.ts$',
        pathNot: [ROUTES, '\\.server\\.ts$'],
      },
      to: { path: 'node_modules/(react|react-dom|react-router|react-i18next)/' },
    },
    {
      name: 'pure-files-import-no-node',
      severity: 'error',
      from: {
        path: '^src/.*\\.ts$',
        pathNot: [ROUTES, '\\.server\\.ts$', '^src/[^/]+\\.ts$'],
      },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'steps-never-import-components',
      severity: 'error',
      from: { path: '^src/features/visa/(steps|journey)\\.ts$' },
      to: { path: '\\.tsx$' },
    },
    {
      name: 'only-server-files-know-tables',
      severity: 'error',
      from: {
        pathNot: '\\.server\\.tsx?$',
      },
      to: { path: 'tables\\.server\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'entry-points-are-imported-by-nobody',
      severity: 'error',
      from: { path: '^src/.+/' },
      to: { path: '^src/[^/]+\\.(ts|tsx)$' },
    },
    ...notBelow(layers).map(([room, others]) => ({
      name: `${room}-imports-lower-layers-only`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: {
        path: `^src/(${others.join('|')})/`,
        ...(room === 'lab' && { pathNot: feature(...featureLayers.at(-1)) }),
      },
    })),
    ...notBelow(featureLayers).map(([name, others]) => ({
      name: `${name}-imports-lower-features-only`,
      severity: 'error',
      from: { path: feature(name) },
      to: { path: feature(...others), pathNot: ACCOUNTS },
    })),
  ],
  options: {
    // With TypeScript 7 alone the default parser finds no modules and passes; scripts/test.ts fails on zero.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: TESTS },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
