/** What to check by hand on a phone, in the specification's order. Texts: `lab:checklist.check.<id>`. */
export const checks = [
  'navigation',
  'background',
  'typography',
  'layout',
  'country',
  'dates',
  'payment',
  'products',
  'loading',
  'touch',
] as const;

export const results = ['pending', 'pass', 'fail'] as const;
export type CheckResult = (typeof results)[number];

export const mainPages = ['/insurance', '/apply', '/'] as const;
export const quickLinks = [
  '/insurance',
  '/apply',
  '/',
  '/status',
  '/faq',
  '/requirements',
] as const;
