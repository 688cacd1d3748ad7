/**
 * Groups of the footer, in the order of the specification. Words: `site:nav.<key>`. A page that comes to exist adds its
 * row; support leads where the operator's configuration says, else to an e-mail.
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

/** Cards the payment partner takes; each is drawn in `public/cards.svg`, in a view of its name: one request for all. */
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
