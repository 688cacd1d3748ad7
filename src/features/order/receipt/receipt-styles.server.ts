import { StyleSheet } from '@react-pdf/renderer';
import { colour, paperLook, px } from '~/platform/pdf/pdf-look.server.ts';
import type { Translate } from '~/base/read-text.ts';
import type { Language } from '~/base/languages.ts';
import type { ReceiptFacts } from './receipt-facts.ts';
import type { ReceiptKind } from './receipt-number.ts';

/** A receipt's styles for one reading direction, similar to the insurance certificate's; `dense` for many lines. */
export function receiptStyles(direction: 'ltr' | 'rtl', dense: boolean) {
  const look = paperLook(direction, dense);
  const { gap, isRtl, fonts, row, text, end, alignStart, alignEnd, mono, head, small } = look;
  return StyleSheet.create({
    page: {
      paddingTop: px(48),
      paddingBottom: px(40),
      paddingHorizontal: px(72),
      fontFamily: fonts.text,
      fontSize: px(15),
      // Arabic letters are taller.
      lineHeight: isRtl ? (dense ? 1.55 : 1.7) : 1.45,
      color: colour.ink,
    },
    head: { ...head, paddingBottom: gap(20) },
    issuer: {
      maxWidth: '62%',
      alignItems: alignEnd,
      fontSize: px(13),
      lineHeight: isRtl ? 1.6 : 1.4,
      color: colour.ink2,
    },
    issuerLine: { textAlign: end, direction },
    title: {
      fontFamily: fonts.heading,
      fontWeight: 600,
      fontSize: px(isRtl ? 34 : 40),
      lineHeight: isRtl ? 1.5 : 1.15,
      marginTop: gap(isRtl ? 12 : 24),
      ...text,
    },
    lead: { marginTop: px(6), fontSize: px(16), color: colour.ink2, ...text },
    test: {
      marginTop: gap(14),
      paddingVertical: px(8),
      paddingHorizontal: px(14),
      borderRadius: 6,
      backgroundColor: colour.redGround,
      color: colour.red,
      fontSize: px(14),
      fontWeight: 600,
      ...text,
    },
    perforation: { marginTop: gap(16) },
    band: {
      flexDirection: row,
      justifyContent: 'space-between',
      alignItems: 'flex-start',
      gap: px(24),
      paddingVertical: gap(isRtl ? 10 : 14),
    },
    bandPart: { alignItems: alignStart },
    bandEnd: { alignItems: alignEnd },
    caption: { fontSize: px(13), color: colour.ink2, ...text },
    number: { ...mono, fontSize: px(24), lineHeight: 1.3 },
    sum: { fontWeight: 600, fontSize: px(24), lineHeight: 1.3, direction: 'ltr' },
    facts: { flexDirection: row, flexWrap: 'wrap', marginTop: gap(isRtl ? 12 : 18) },
    fact: {
      width: '50%',
      marginBottom: gap(isRtl ? 8 : 12),
      [isRtl ? 'paddingLeft' : 'paddingRight']: px(16),
    },
    value: { fontWeight: 600, fontSize: px(15.5), lineHeight: isRtl ? 1.5 : 1.35, ...text },
    words: {
      flexDirection: 'row',
      flexWrap: 'wrap',
      columnGap: px(4.5),
      justifyContent: alignStart,
    },
    // Parts of one id: it may wrap, and is read from the left in both directions.
    id: { flexDirection: 'row', flexWrap: 'wrap', justifyContent: alignStart },
    grouped: {
      flexDirection: 'row',
      flexWrap: 'wrap',
      columnGap: px(8),
      justifyContent: alignStart,
    },
    idPiece: { ...mono, fontSize: px(14.5), lineHeight: 1.4 },
    linesHead: {
      flexDirection: row,
      justifyContent: 'space-between',
      marginTop: gap(isRtl ? 6 : 10),
      paddingBottom: px(6),
      borderBottom: `1 solid ${colour.ink}`,
      fontSize: px(13),
      fontWeight: 600,
      color: colour.ink2,
    },
    headText: { ...text },
    traveller: { paddingTop: gap(isRtl ? 8 : 12) },
    application: {
      flexDirection: row,
      alignItems: 'center',
      gap: px(8),
      paddingTop: gap(isRtl ? 4 : 7),
      fontSize: px(13),
      color: colour.ink2,
    },
    line: {
      flexDirection: row,
      justifyContent: 'space-between',
      gap: px(16),
      paddingVertical: gap(isRtl ? 2 : 4),
      borderBottom: `1 solid ${colour.line}`,
    },
    lineText: { flexGrow: 1, flexShrink: 1, flexBasis: 0 },
    lineLabel: { ...text },
    reason: { fontSize: px(13), lineHeight: isRtl ? 1.6 : 1.4, color: colour.ink2, ...text },
    amount: { flexShrink: 0, textAlign: end },
    total: {
      flexDirection: row,
      justifyContent: 'space-between',
      gap: px(16),
      paddingTop: px(9),
      marginTop: -1,
      borderTop: `1.5 solid ${colour.ink}`,
      fontWeight: 600,
      fontSize: px(17),
    },
    // On further pages: the number of the document.
    folio: { position: 'absolute', bottom: px(16), left: px(72), right: px(72), height: px(18) },
    folioText: { ...mono, fontSize: px(12), lineHeight: 1.4, color: colour.ink2, textAlign: end },
    stars: { marginTop: gap(isRtl ? 16 : 22) },
    small,
  });
}

/** What the parts of a receipt's page share. */
export type Drawing = {
  kind: ReceiptKind;
  facts: ReceiptFacts;
  language: Language;
  t: Translate<'receipt'>;
  styles: ReturnType<typeof receiptStyles>;
};
