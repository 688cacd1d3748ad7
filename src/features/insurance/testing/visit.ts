import type { makeTestApp } from '../../../../test/pages.ts';

/** A browser without scripts: it keeps cookies and does not follow redirects. */
export const visitor = (app: ReturnType<typeof makeTestApp>) =>
  function browser() {
    const jar = new Map<string, string>();
    const visit = async (path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
      const response = await app.request(path, { ...init, headers });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
        jar.set(name, value);
      }
      const text = await response.text();
      const html = text.split('<script id="page-data"')[0]?.replaceAll('<!-- -->', '') ?? '';
      return { response, html, location: response.headers.get('location') ?? '' };
    };
    return Object.assign(visit, {
      deleteCookies: () => jar.clear(),
      /** Takes over a cookie that another request was given: its name, `=` and its value. */
      takeCookie(pair: string) {
        const [name = '', value = ''] = pair.split('=');
        jar.set(name, value);
      },
    });
  };

/** The form of an adult for ten days, with the button that continues to payment. */
export const adultForm = {
  'travelDate-day': '12',
  'travelDate-month': 'December',
  'travelDate-year': '2026',
  'returnDate-day': '21',
  'returnDate-month': '12',
  'returnDate-year': '2026',
  productId: '14-days',
  nationality: 'MEX',
  documentType: 'ordinary',
  lastName: 'Hernández Ruiz',
  firstName: 'Sofía',
  passportNumber: 'G38215640',
  'dateOfBirth-day': '14',
  'dateOfBirth-month': 'July',
  'dateOfBirth-year': '1991',
  placeOfBirth: '',
  email: 'sofia.hernandez@correo.example',
  phone: '+52 33 1234 5678',
  intent: 'pay',
};

export function formRequest(
  entries: Record<string, string>,
  photos: readonly File[] = [],
): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(entries)) body.append(name, value);
  // Browsers send an empty file for an empty chooser.
  const files = photos.length > 0 ? photos : [new File([], '')];
  for (const file of files) body.append('parentIdPhotos', file);
  return { method: 'POST', body };
}
