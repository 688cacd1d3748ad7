/** Payment methods of PayPal's own buttons. */
export type PaypalFunding = 'paypal' | 'venmo' | 'card';

/** A way of paying with PayPal; the number is the one that the customer's specification gives to this behaviour. */
export type PaypalScreen = {
  behaviour: number;
  /** PayPal's buttons, PayPal's frames in our form (two generations), or a redirect without scripts. */
  shows: 'buttons' | 'card-fields' | 'hosted-fields' | 'redirect';
  funding?: readonly PaypalFunding[];
  /** `asks`: checks whether PayPal is live, and shows something else if not. `needs`: shows an error without it. */
  live?: 'asks' | 'needs';
  /** What its second button renders again. */
  again?: 'buttons' | 'page';
  hasDebug?: boolean;
  links?: readonly string[];
  /** Which Turkish messages say that the script failed to load, that it failed, that the payer cancelled. */
  says: { load: Words; error: Words; cancel: Words };
  redirect?: {
    /** Automatically when the page is loaded, or on a press. */
    starts: 'itself' | 'press';
    /** Whether `amount` and `orderId` of the query are sent on (the server trusts neither). */
    readsQuery?: boolean;
    /** Parameters added to PayPal's address, such as guest checkout. */
    parameters?: Record<string, string>;
    toastMs: number;
  };
};

type Words = 'sdk' | 'load' | 'paypal' | 'cardPayment' | 'card' | 'cancelled' | 'cardCancelled';

const wallet = { load: 'sdk', error: 'paypal', cancel: 'cancelled' } as const;
const guestCheckout = { fundingSource: 'card', 'disable-funding': 'credit,paylater,venmo' };

const paypalScreens = {
  standard: {
    behaviour: 1,
    shows: 'buttons',
    funding: ['paypal'],
    hasDebug: true,
    says: wallet,
  },
  clean: {
    behaviour: 2,
    shows: 'buttons',
    funding: ['paypal'],
    again: 'buttons',
    says: { ...wallet, load: 'load' },
  },
  react: { behaviour: 3, shows: 'buttons', funding: ['paypal'], again: 'page', says: wallet },
  live: {
    behaviour: 4,
    shows: 'buttons',
    funding: ['paypal', 'card', 'venmo'],
    live: 'asks',
    again: 'page',
    links: ['/paypal-react'],
    says: { ...wallet, load: 'load' },
  },
  card: {
    behaviour: 5,
    shows: 'buttons',
    funding: ['card'],
    links: ['/paypal-live'],
    says: { load: 'sdk', error: 'cardPayment', cancel: 'cardCancelled' },
  },
  direct: { behaviour: 6, shows: 'buttons', funding: ['paypal'], live: 'needs', says: wallet },
  hosted: {
    behaviour: 7,
    shows: 'hosted-fields',
    says: { load: 'load', error: 'card', cancel: 'cardCancelled' },
  },
  redirect: {
    behaviour: 8,
    shows: 'redirect',
    says: wallet,
    redirect: { starts: 'itself', readsQuery: true, parameters: guestCheckout, toastMs: 3000 },
  },
  mobile: {
    behaviour: 9,
    shows: 'redirect',
    says: wallet,
    redirect: { starts: 'press', parameters: guestCheckout, toastMs: 3000 },
  },
  fields: {
    behaviour: 10,
    shows: 'card-fields',
    says: { load: 'sdk', error: 'card', cancel: 'cardCancelled' },
  },
  minimal: {
    behaviour: 11,
    shows: 'redirect',
    says: wallet,
    redirect: { starts: 'press', toastMs: 2000 },
  },
} as const satisfies Record<string, PaypalScreen>;

type PaypalKey = keyof typeof paypalScreens;
export type LabKey = PaypalKey | 'diagnostics' | 'checklist' | 'mock' | 'debug' | 'directCard';

/** Every page of the lab except the simulated gateway's own checkout. Texts: `lab:page.<key>.title` and `.lead`. */
export const labPages = [
  { path: '/payment-troubleshoot', key: 'diagnostics' },
  { path: '/mobile-test', key: 'checklist' },
  { path: '/payment-mock', key: 'mock' },
  { path: '/debug-payment', key: 'debug' },
  { path: '/direct-card', key: 'directCard' },
  { path: '/paypal-test', key: 'standard' },
  { path: '/paypal-simple', key: 'standard' },
  { path: '/paypal-modern', key: 'standard' },
  { path: '/paypal-fixed', key: 'standard' },
  { path: '/paypal-clean', key: 'clean' },
  { path: '/paypal-react', key: 'react' },
  { path: '/paypal-live', key: 'live' },
  { path: '/paypal-card', key: 'card' },
  { path: '/paypal-direct', key: 'direct' },
  { path: '/paypal-hosted', key: 'hosted' },
  { path: '/paypal-card-direct', key: 'redirect' },
  { path: '/mobile-paypal-test', key: 'mobile' },
  { path: '/paypal-direct-card', key: 'fields' },
  { path: '/paypal-simple-card', key: 'minimal' },
  { path: '/live-paypal-card', key: 'minimal' },
] as const satisfies readonly { path: string; key: LabKey }[];

export type LabPath = (typeof labPages)[number]['path'];

/** The page at a path without its language; undefined for any other. */
export function labPageByPath(pathname: string): (typeof labPages)[number] | undefined {
  return labPages.find(({ path }) => path === pathname);
}

/** The PayPal payment at this path; null for a page without one. */
export function paypalScreenByPath(pathname: string): PaypalScreen | null {
  const key = labPageByPath(pathname)?.key;
  return key && isPaypal(key) ? paypalScreens[key] : null;
}

function isPaypal(key: LabKey): key is PaypalKey {
  return Object.hasOwn(paypalScreens, key);
}

/** The paths of one route module: pages with PayPal's script have their own policy. */
export const paypalPaths = (shows: 'script' | 'redirect'): LabPath[] =>
  labPages
    .filter(({ path }) => {
      const screen = paypalScreenByPath(path);
      return screen !== null && (screen.shows === 'redirect') === (shows === 'redirect');
    })
    .map(({ path }) => path);
