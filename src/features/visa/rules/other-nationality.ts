/** Query parameter of the page that reports another tab's choice of nationality. */
export const OTHER_NATIONALITY = 'nationality';

/** Key among another tab's answers: the nationality that it has chosen, in the page's language. */
export const NATIONALITY_NOW = 'nationalityNow';

/** The id of a rendered page, with the nationality that it was shown for. */
export const nationalityPageId = (nationality: string | undefined, id: string): string =>
  nationality ? `${nationality}.${id}` : id;

/** Whether a page was shown for another nationality; false for one without any. */
export function isForOther(page: string, nationality: string | undefined): boolean {
  const [, shown] = /^([A-Z]{3})\./.exec(page) ?? [];
  return shown !== undefined && shown !== nationality;
}
