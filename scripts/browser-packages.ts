/**
 * Packages that pages import. `npm run dev` prepares them before the first visit and looks for no others: one found later
 * would be prepared anew together with React, and the open page would hold two of it.
 */
export const browserPackages = [
  '@paypal/react-paypal-js',
  '@paypal/react-paypal-js/sdk-v6',
  '@radix-ui/react-toast',
  '@radix-ui/react-tooltip',
  'd3-scale',
  'd3-shape',
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
