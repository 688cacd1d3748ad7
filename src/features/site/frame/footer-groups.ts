import type { CardBrand } from '~/platform/config/sample-operator.ts';

/**
 * The footer's groups, in the specification's order. Texts: `site:nav.<key>`. Support links to the addresses in the
 * operator's configuration; contact to an email without one.
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

/** What each card's logo is called; each is a view of `public/cards.svg`, so that one request loads all. */
export const cardNames: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  discover: 'Discover',
  troy: 'Troy',
  jcb: 'JCB',
  diners: 'Diners',
  unionpay: 'UnionPay',
};
