import { Document, Page, StyleSheet, Text, View } from '@react-pdf/renderer';
import { toPlainDate, formatDate, UTC } from '~/base/dates/dates.ts';
import { leftToRight } from '~/base/isolated.ts';
import { textDirection, type Language } from '~/base/languages.ts';
import { fullName } from '~/features/application/full-name.ts';
import { formatNumber } from '~/base/format-number.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  colour,
  paperLook,
  px,
  Lockup,
  Perforation,
  StarLine,
  Pieces,
} from '~/platform/pdf/pdf-parts.server.tsx';
import { drawPdf } from '~/platform/pdf/pdf.server.ts';
import type { CopyGroup, CopyRow } from './copy-groups.server.ts';

type CopyFacts = {
  language: Language;
  kind: 'visa' | 'insurance';
  number: string;
  firstName: string;
  lastName: string;
  /** When the application was made, and when this copy was. */
  appliedAt: Date;
  copiedAt: Date;
  operatorName: string;
  groups: readonly CopyGroup[];
};

/** Draws what a traveller answered as a PDF, in the language of the application. */
export function drawCopy(facts: CopyFacts): Promise<Buffer> {
  return drawPdf(<Copy facts={facts} styles={copyStyles(textDirection(facts.language))} />);
}

type Styles = ReturnType<typeof copyStyles>;

function Copy({ facts, styles }: { facts: CopyFacts; styles: Styles }) {
  const { language, kind, number, appliedAt, copiedAt, operatorName, groups } = facts;
  const t = makeTranslate(language, 'receipt');
  const grouped = formatNumber(number);
  const day = (at: Date) => t('day', { date: formatDate(toPlainDate(at, UTC), language) });
  const about: CopyRow[] = [
    { term: t('copy.applicant'), value: fullName(facts), latin: true },
    { term: t('copy.appliedOn'), value: day(appliedAt), latin: false },
    { term: t('copy.copiedOn'), value: day(copiedAt), latin: false },
  ];
  return (
    <Document
      author={operatorName}
      creationDate={copiedAt}
      language={language}
      title={`${t('copy.title')} ${grouped}`}
    >
      <Page size="A4" style={styles.page}>
        <View style={styles.head}>
          <Lockup />
          <Text style={styles.issuer}>{leftToRight(operatorName)}</Text>
        </View>
        <Text style={styles.title} tag="H1">
          {t('copy.title')}
        </Text>
        <Text style={styles.lead}>{t(`copy.${kind}`)}</Text>
        <Perforation style={styles.perforation} />
        <View tag="L">
          <View style={styles.number} tag="LI">
            <Text style={styles.caption} tag="Lbl">
              {t('copy.number')}
            </Text>
            <Pieces
              pieceStyle={styles.piece}
              pieces={grouped.split(' ')}
              style={styles.pieces}
              tag="LBody"
              text={grouped}
            />
          </View>
        </View>
        <Perforation />
        <View style={styles.group}>
          <Rows rows={about} styles={styles} />
        </View>
        {groups.map(({ title, rows }) => (
          <View key={title} style={styles.group} wrap={false}>
            <Text style={styles.groupTitle} tag="H2">
              {title}
            </Text>
            <Rows rows={rows} styles={styles} />
          </View>
        ))}
        <View wrap={false}>
          <StarLine style={styles.stars} />
          <Text style={styles.small}>{t('copy.note')}</Text>
        </View>
      </Page>
    </Document>
  );
}

/** Rows of a PDF, as `copyStyles` draws them. */
function Rows({ rows, styles }: { rows: readonly CopyRow[]; styles: Styles }) {
  return (
    <View tag="L">
      {rows.map(({ term, value, latin }, index) => (
        <View key={index} style={styles.row} tag="LI" wrap={false}>
          <Text style={styles.term} tag="Lbl">
            {term}
          </Text>
          <Pieces
            pieceStyle={latin ? [styles.word, styles.latin] : styles.word}
            pieces={wordsOf(value)}
            style={styles.words}
            tag="LBody"
            text={value}
          />
        </View>
      ))}
    </View>
  );
}

const ARABIC = /\p{Script=Arabic}/u;
/** The library never breaks words: a long one is cut, an email address at its signs. */
const MAX_WORD_LENGTH = 38;

/**
 * Words as texts of their own, because one with letters of two fonts might be broken between them. Arabic needs one font
 * and must be laid out as a whole.
 */
const wordsOf = (value: string): string[] =>
  ARABIC.test(value)
    ? [value]
    : value
        .split(/\s+/)
        .flatMap((word) => word.match(new RegExp(`.{1,${MAX_WORD_LENGTH}}`, 'gu')) ?? []);

/** How a copy looks, and what else is drawn as one. */
function copyStyles(direction: 'ltr' | 'rtl') {
  const look = paperLook(direction, false);
  const { gap, isRtl, fonts, row, text, end, alignStart, mono, head, small } = look;
  return StyleSheet.create({
    page: {
      paddingTop: px(44),
      paddingBottom: px(36),
      paddingHorizontal: px(72),
      fontFamily: fonts.text,
      fontSize: px(14.5),
      lineHeight: isRtl ? 1.6 : 1.4,
      color: colour.ink,
    },
    head: { ...head, paddingBottom: gap(16) },
    issuer: { maxWidth: '62%', fontSize: px(13), color: colour.ink2, textAlign: end, direction },
    title: {
      fontFamily: fonts.heading,
      fontWeight: 600,
      fontSize: px(isRtl ? 30 : 34),
      lineHeight: isRtl ? 1.5 : 1.15,
      marginTop: gap(isRtl ? 8 : 18),
      ...text,
    },
    lead: { marginTop: px(4), color: colour.ink2, ...text },
    perforation: { marginTop: gap(12) },
    number: { alignItems: alignStart, paddingVertical: gap(8) },
    caption: { fontSize: px(13), color: colour.ink2, ...text },
    pieces: { flexDirection: 'row', columnGap: px(10) },
    piece: { ...mono, fontSize: px(20), lineHeight: 1.3 },
    group: { marginTop: gap(isRtl ? 8 : 12) },
    groupTitle: {
      paddingBottom: px(3),
      borderBottom: `1 solid ${colour.ink}`,
      fontWeight: 600,
      ...text,
    },
    row: {
      flexDirection: row,
      gap: px(16),
      paddingVertical: px(isRtl ? 2 : 3.5),
      borderBottom: `1 solid ${colour.line}`,
    },
    term: { width: '36%', flexShrink: 0, color: colour.ink2, ...text },
    words: {
      flexGrow: 1,
      flexShrink: 1,
      flexBasis: 0,
      flexDirection: 'row',
      flexWrap: 'wrap',
      columnGap: px(4.5),
      justifyContent: alignStart,
    },
    word: { ...text },
    latin: { direction: 'ltr' },
    stars: { marginTop: gap(14) },
    small,
  });
}
