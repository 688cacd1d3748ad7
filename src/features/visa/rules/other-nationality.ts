/** In the address of the page that tells of a nationality that another tab has chosen. */
export const OTHER_NATIONALITY = 'nationality';

/** Beside answers of another tab: the nationality that it has chosen, in the page's language. */
export const NATIONALITY_NOW = 'nationalityNow';

/** Names one opening of a page, and the nationality that it was shown for. */
export const pageFor = (nationality: string | undefined, id: string): string =>
  nationality ? `${nationality}.${id}` : id;

/** Whether a page was shown for another nationality than this one; one that names none was not. */
export function isForOther(page: string, nationality: string | undefined): boolean {
  const [, shown] = /^([A-Z]{3})\./.exec(page) ?? [];
  return shown !== undefined && shown !== nationality;
}
