/** Who may import whom: `docs/decisions` and the layout in README.md say why. Checked by `npm test`. */
const feature = (name) => `^src/features/${name}/`;
const TESTS = '\\.test\\.tsx?$|^test/|/testing/';
/** Route modules: React Router strips their loaders and actions from what browsers get. */
const ROUTES = '/pages/';

/** Between features downwards only: each row lists what a feature may not reach. */
const above = {
  settings: ['catalog', 'application', 'visa', 'insurance', 'order', 'payment', 'staff', 'site'],
  catalog: ['application', 'draft', 'visa', 'insurance', 'order', 'payment', 'staff', 'site'],
  payment: ['catalog', 'application', 'draft', 'visa', 'insurance', 'order', 'staff', 'site'],
  order: ['catalog', 'application', 'draft', 'visa', 'insurance', 'staff', 'site'],
  application: ['draft', 'visa', 'insurance', 'staff', 'site'],
  draft: ['catalog', 'visa', 'insurance', 'order', 'payment', 'staff', 'site'],
  visa: ['insurance', 'staff', 'site'],
  insurance: ['visa', 'staff', 'site'],
  staff: ['catalog', 'application', 'visa', 'insurance', 'order', 'payment', 'site'],
  site: ['application', 'order', 'payment', 'staff'],
};

/** Figures that information pages are written from. */
const FIGURES = '^src/features/order/refund-(policy|cause)\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'base-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/base/', pathNot: TESTS },
      to: { path: '^src/(?!base/)' },
    },
    {
      name: 'base-is-pure',
      severity: 'error',
      from: { path: '^src/base/', pathNot: TESTS },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'platform-knows-no-feature-and-no-ui',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: TESTS },
      to: { path: '^src/(?!platform/|base/)' },
    },
    {
      name: 'ui-knows-no-feature-and-no-platform',
      severity: 'error',
      from: { path: '^src/ui/', pathNot: TESTS },
      to: { path: '^src/(?!ui/|base/)' },
    },
    {
      name: 'features-do-not-import-the-composition',
      severity: 'error',
      from: { path: '^src/features/', pathNot: TESTS },
      to: { path: '^src/[^/]+\\.(ts|tsx)$' },
    },
    {
      name: 'pure-files-import-no-server-file',
      severity: 'error',
      from: {
        path: '^src/.*\\.ts$',
        pathNot: [TESTS, ROUTES, '\\.server\\.ts$', '^src/[^/]+\\.ts$'],
      },
      to: { path: '\\.server\\.tsx?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-files-import-no-react',
      severity: 'error',
      from: { path: '^src/(base|features)/.*\\.ts$', pathNot: [TESTS, ROUTES, '\\.server\\.ts$'] },
      to: { path: 'node_modules/(react|react-dom|react-router|react-i18next)/' },
    },
    {
      name: 'pure-files-import-no-node',
      severity: 'error',
      from: {
        path: '^src/.*\\.ts$',
        pathNot: [TESTS, ROUTES, '\\.server\\.ts$', '^src/[^/]+\\.ts$'],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'steps-never-import-components',
      severity: 'error',
      from: { path: '^src/features/visa/(steps|journey)\\.ts$' },
      to: { path: '\\.tsx$' },
    },
    {
      name: 'only-stores-know-tables',
      severity: 'error',
      from: {
        pathNot: [TESTS, '(tables|store|[a-z-]+-store|clock|idempotency|seed)\\.server\\.ts$'],
      },
      to: { path: 'tables\\.server\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-the-desk-or-notices',
      severity: 'error',
      from: { path: '^src/features/', pathNot: `${feature('desk')}|${feature('notice')}` },
      to: { path: `${feature('desk')}|${feature('notice')}` },
    },
    {
      name: 'the-desk-does-not-import-notices',
      severity: 'error',
      from: { path: feature('desk'), pathNot: TESTS },
      to: { path: feature('notice') },
    },
    {
      name: 'the-gateway-is-an-outsider',
      comment: 'The service reaches the simulated gateway over HTTP only.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: ['^src/features/payment/lab/', TESTS] },
      to: { path: '^src/features/payment/lab/' },
    },
    ...Object.entries(above).map(([name, forbidden]) => ({
      name: `${name}-imports-downwards-only`,
      severity: 'error',
      from: { path: feature(name), pathNot: TESTS },
      to: {
        path: forbidden.map(feature).join('|'),
        ...(name === 'site' && { pathNot: FIGURES }),
      },
    })),
  ],
  options: {
    // With TypeScript 7 alone the default parser finds no modules and passes; scripts/test.ts fails on zero.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
