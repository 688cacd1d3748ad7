import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';

/** A PDF for staff, in the browser's own reader, where nothing in it runs with our origin. */
export const pdfAnswer = (bytes: Buffer, frameAncestors: "'none'" | "'self'"): Response =>
  new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'inline; filename="document.pdf"',
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${frameAncestors}`,
      ...PRIVATE_PAGE,
    },
  });
