import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';

/** A PDF response for staff, shown by the browser's own reader without access to our origin. */
export const pdfAnswer = (bytes: Buffer, frameAncestors: "'none'" | "'self'"): Response =>
  new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'inline; filename="document.pdf"',
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${frameAncestors}`,
      ...PRIVATE_PAGE,
    },
  });
