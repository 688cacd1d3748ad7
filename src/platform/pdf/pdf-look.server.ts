import { pdfFonts } from './pdf.server.ts';

/** The site's colours, for documents. */
export const colour = {
  ink: '#0B2A3C',
  ink2: '#41586A',
  line: '#E4DACA',
  perforation: '#C9A98C',
  tulip: '#C9493B',
  brass: '#B8893B',
  travertine: '#FBF8F2',
  red: '#8C1D18',
  redGround: '#FBE3E0',
};

/** The measures of the drawing are pixels at 96 to the inch; a point is four thirds of one. */
export const px = (pixels: number): number => pixels * 0.75;

/**
 * What our documents share in one reading direction: margins, fonts, the head and the small print. `gap` is a distance
 * in pixels that halves where a document is `dense`.
 */
export function paperLook(direction: 'ltr' | 'rtl', dense: boolean) {
  const gap = (pixels: number) => px(dense ? pixels * 0.5 : pixels);
  const isRtl = direction === 'rtl';
  const row = isRtl ? 'row-reverse' : 'row';
  // Not handed down from the page: without it a line of Arabic is ordered as if it were a quotation.
  const text = { textAlign: isRtl ? 'right' : 'left', direction } as const;
  return {
    gap,
    isRtl,
    row,
    text,
    fonts: pdfFonts[direction],
    end: isRtl ? 'left' : 'right',
    alignStart: isRtl ? 'flex-end' : 'flex-start',
    alignEnd: isRtl ? 'flex-start' : 'flex-end',
    mono: { fontFamily: pdfFonts.mono, fontWeight: 500 },
    head: {
      flexDirection: row,
      justifyContent: 'space-between',
      alignItems: 'center',
      borderBottom: `1 solid ${colour.ink}`,
    },
    small: {
      marginTop: gap(12),
      fontSize: px(11.5),
      // Arabic letters reach higher and lower.
      lineHeight: isRtl ? 1.7 : 1.45,
      color: colour.ink2,
      ...text,
    },
  } as const;
}
