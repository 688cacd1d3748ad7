/**
 * Packages that pages import. `npm run dev` bundles them before the first visit and looks for no others: one found
 * later would be bundled again together with React, and the open page would have two copies of it.
 */
export const browserPackages = [
  '@paypal/react-paypal-js',
  '@paypal/react-paypal-js/sdk-v6',
  '@radix-ui/react-toast',
  '@simplewebauthn/browser',
  'devalue',
  'mrz',
  'react',
  'react-dom',
  'react-dom/client',
  'react-router',
  'react-router/dom',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'uqr',
  'zod',
  'zod/mini',
];
