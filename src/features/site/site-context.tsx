import type { AuthoritiesCharge, CardBrand } from '~/platform/config/sample-operator.ts';
import { createContext, useContext } from 'react';

/** The operator, from settings or configuration, or placeholders. */
type OperatorDetails = {
  legalName: string;
  address: string;
  taxNumber: string;
  supportEmail: string;
  supportPhone: string;
  contactUrl?: string;
  liveChatUrl?: string;
  helpCentreUrl?: string;
  authoritiesCharge?: AuthoritiesCharge;
  cards?: readonly CardBrand[];
};

/** What every visitor's page needs to know of the site. */
export type Site = {
  /** The public origin, without a trailing slash. */
  origin: string;
  operator: OperatorDetails;
  /** From the server's clock, so that hydration finds the same. */
  year: number;
  /** Set in test mode: the banner on every page, and its link. */
  testMode: { text: string; link: string; to: string } | null;
};

const SiteContext = createContext<Site | null>(null);

export const SiteProvider = SiteContext.Provider;

/**
 * The site of the current page.
 * @throws Error outside the site's frame.
 */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('There is no site round this component');
  return site;
}
