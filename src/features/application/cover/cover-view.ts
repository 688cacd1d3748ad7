/** Insurance terms as a page shows them, in its language. */
export type CoverView = {
  /** Under which its terms are kept; null where nothing is sold. */
  version: number | null;
  insurer: string | null;
  address: string | null;
  licence: string | null;
  assistancePhone: string | null;
  complaintContact: string | null;
  lines: readonly { code: string; title: string; limit: string }[];
};

/** Where the terms of a version stand. */
export const termsPath = (version: number): string => `/insurance/terms/${version}`;
