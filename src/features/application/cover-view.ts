/** Insurance terms as a page shows them, in its language. */
export type CoverView = {
  /** The version under which the terms are stored; null where no insurance is sold. */
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
