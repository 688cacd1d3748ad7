import { createContext, useContext } from 'react';

/** Who runs the service, from settings or configuration; placeholders until the operator fills them in. */
export type OperatorDetails = {
  legalName: string;
  address: string;
  taxNumber: string;
  supportEmail: string;
  supportPhone: string;
  contactUrl?: string;
  liveChatUrl?: string;
  helpCentreUrl?: string;
};

/** What every visitor's page knows of the site as a whole. */
export type Site = {
  /** By which the world reaches the service, without a trailing slash. */
  origin: string;
  operator: OperatorDetails;
  /** From the server's clock: a cached page and its hydration must agree. */
  year: number;
  /** In test mode alone: what every page says of it, and where that leads. */
  testMode: { text: string; link: string; to: string } | null;
};

const SiteContext = createContext<Site | null>(null);

export const SiteProvider = SiteContext.Provider;

/** @throws Error outside the site's frame. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('There is no site round this component');
  return site;
}
