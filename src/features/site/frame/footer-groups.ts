/**
 * The footer's groups, in the specification's order. Texts: `site:nav.<key>`. Support links to the address in the
 * operator's configuration, or to an email.
 */
export const footerGroups = [
  {
    key: 'application',
    links: [
      { key: 'apply', to: '/application' },
      { key: 'insurance', to: '/insurance' },
      { key: 'status', to: '/status' },
      { key: 'requirements', to: '/requirements' },
    ],
  },
  {
    key: 'information',
    links: [
      { key: 'processing-times', to: '/processing-times' },
      { key: 'faq', to: '/faq' },
      { key: 'security', to: '/security' },
      { key: 'refund', to: '/refund' },
    ],
  },
  {
    key: 'support',
    links: [
      { key: 'contact', at: 'contactUrl' },
      { key: 'live-chat', at: 'liveChatUrl' },
      { key: 'help-centre', at: 'helpCentreUrl' },
    ],
  },
  {
    key: 'legal',
    links: [
      { key: 'terms', to: '/terms' },
      { key: 'privacy', to: '/privacy' },
      { key: 'kvkk', to: '/kvkk' },
      { key: 'cancellation-policy', to: '/cancellation-policy' },
    ],
  },
] as const;

/** Accepted cards; each is a view of `public/cards.svg`, so that one request loads all. */
export const cards = [
  { key: 'visa', name: 'Visa' },
  { key: 'mastercard', name: 'Mastercard' },
  { key: 'amex', name: 'Amex' },
  { key: 'discover', name: 'Discover' },
  { key: 'troy', name: 'Troy' },
  { key: 'jcb', name: 'JCB' },
  { key: 'diners', name: 'Diners' },
  { key: 'unionpay', name: 'UnionPay' },
] as const;
