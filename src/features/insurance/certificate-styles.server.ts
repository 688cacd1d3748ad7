import { StyleSheet } from '@react-pdf/renderer';
import { colour, paperLook, px } from '~/platform/pdf-look.server.ts';

/** The look of the certificate in one reading direction; `dense` draws long names and many covers closer together. */
export function certificateStyles(direction: 'ltr' | 'rtl', dense: boolean) {
  const look = paperLook(direction, dense);
  const { gap, isRtl, fonts, row, text, end, alignStart, mono, head, small } = look;
  return StyleSheet.create({
    page: {
      paddingTop: px(54),
      paddingBottom: px(40),
      paddingHorizontal: px(72),
      fontFamily: fonts.text,
      fontSize: px(15),
      lineHeight: small.lineHeight,
      color: colour.ink,
    },
    head: { ...head, paddingBottom: px(20) },
    kind: { fontSize: px(14), color: colour.ink2, textAlign: end, direction },
    title: {
      fontFamily: fonts.heading,
      fontWeight: 600,
      fontSize: px(isRtl ? 36 : 42),
      lineHeight: isRtl ? 1.5 : 1.15,
      marginTop: gap(isRtl ? 18 : 34),
      ...text,
    },
    lead: {
      marginTop: gap(8),
      maxWidth: px(560),
      fontSize: px(17),
      color: colour.ink2,
      ...text,
      alignSelf: alignStart,
    },
    band: {
      flexDirection: row,
      justifyContent: 'space-between',
      alignItems: 'flex-start',
      paddingVertical: gap(isRtl ? 12 : 18),
    },
    bandPart: { alignItems: alignStart },
    perforation: { marginTop: gap(isRtl ? 18 : 26) },
    caption: { fontSize: px(13.5), color: colour.ink2, ...text },
    // The groups are apart for the eye only; besides, this font's space cannot be read here.
    number: {
      flexDirection: 'row',
      gap: px(14),
      ...mono,
      fontSize: px(26),
      lineHeight: 1.3,
    },
    plan: {
      fontFamily: fonts.heading,
      fontWeight: 600,
      fontSize: px(27),
      lineHeight: isRtl ? 1.4 : 1.25,
      ...text,
    },
    facts: { flexDirection: row, flexWrap: 'wrap', marginTop: gap(isRtl ? 18 : 24) },
    fact: {
      width: '50%',
      marginBottom: gap(isRtl ? 12 : 15),
      [isRtl ? 'paddingLeft' : 'paddingRight']: px(16),
    },
    value: { fontWeight: 600, fontSize: px(16.5), lineHeight: 1.35, ...text },
    spelt: { fontSize: px(12.5), lineHeight: 1.4, color: colour.ink2, ...text },
    mono: {
      ...mono,
      fontSize: px(16.5),
      lineHeight: 1.35,
      ...text,
    },
    coverHead: {
      marginTop: gap(isRtl ? 6 : 10),
      flexDirection: row,
      justifyContent: 'space-between',
      paddingBottom: px(7),
      borderBottom: `1 solid ${colour.ink}`,
      fontSize: px(13.5),
      fontWeight: 600,
      color: colour.ink2,
    },
    cover: {
      flexDirection: row,
      justifyContent: 'space-between',
      gap: px(16),
      paddingVertical: gap(isRtl ? 5 : 7),
      borderBottom: `1 solid ${colour.line}`,
      fontSize: px(14.5),
    },
    coverLimit: { textAlign: end, direction, flexShrink: 0, maxWidth: '45%' },
    coverTitle: { ...text, flexShrink: 1 },
    sample: { marginTop: gap(8), fontSize: px(13), color: colour.red, ...text },
    check: {
      flexDirection: row,
      gap: px(28),
      marginTop: gap(isRtl ? 16 : 24),
      alignItems: 'center',
    },
    checkText: { flexGrow: 1, flexShrink: 1, flexBasis: 0 },
    checkTitle: {
      fontFamily: fonts.heading,
      fontWeight: 600,
      fontSize: px(19),
      lineHeight: isRtl ? 1.6 : 1.3,
      ...text,
    },
    paragraph: { marginTop: gap(4), fontSize: px(14), ...text },
    strong: { fontWeight: 600 },
    stars: { marginTop: gap(isRtl ? 14 : 20) },
    small,
    cancelled: {
      marginTop: gap(16),
      paddingVertical: gap(10),
      paddingHorizontal: px(16),
      borderRadius: 6,
      backgroundColor: colour.redGround,
      color: colour.red,
      fontWeight: 600,
      ...text,
    },
  });
}
