import { Document, Page, Text, View, StyleSheet } from '@react-pdf/renderer';
import { toPlainDate, formatDate, UTC } from '~/base/dates/dates.ts';
import { textDirection, isLanguage, type Language } from '~/base/languages.ts';
import { leftToRight } from '~/base/isolated.ts';
import { formatMoney, usd } from '~/base/money.ts';
import {
  Lockup,
  Perforation,
  StarLine,
  Pieces,
  colour,
  paperLook,
  px,
} from '~/platform/pdf/pdf-parts.server.tsx';
import { drawPdf } from '~/platform/pdf/pdf.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  type ReceiptFacts,
  type ReceiptLine,
  type ReceiptTraveller,
  type ReceiptKind,
  lineLabel,
  reasonWords,
} from './receipt-facts.ts';
import { formatNumber } from '~/base/format-number.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import type { Translate } from '~/base/read-text.ts';

/** Operator, payer, date and payment method. */
function ReceiptDetails({ drawing }: { drawing: Drawing }) {
  const { kind, facts, language, t, styles } = drawing;
  const isRefund = kind === 'credit_note';
  const rows: { key: CodeIn<'receipt', 'fact'>; value: string; pieces?: string[] }[] = [
    { key: isRefund ? 'refunded' : 'payer', value: facts.payer },
    { key: 'order', value: facts.orderNumber },
    {
      key: isRefund ? 'refundedOn' : 'paidOn',
      value: t('day', { date: formatDate(toPlainDate(new Date(facts.at), UTC), language) }),
    },
    {
      key: 'partner',
      value: t(`partner.${facts.provider}`, { defaultValue: facts.provider }),
    },
  ];
  if (facts.cardLast4) {
    rows.push({ key: 'card', value: t('cardEnding', { last4: facts.cardLast4 }) });
  }
  if (facts.transaction) {
    const key = isRefund ? 'refund' : 'transaction';
    rows.push({ key, value: facts.transaction, pieces: piecesOf(facts.transaction) });
  }
  return (
    <View style={styles.facts} tag="L">
      {rows.map(({ key, value, pieces }) => (
        <View key={key} style={styles.fact} tag="LI" wrap={false}>
          <Text style={styles.caption} tag="Lbl">
            {t(`fact.${key}`)}
          </Text>
          <View tag="LBody">
            {key === 'order' ? (
              <OurNumber drawing={drawing} number={value} />
            ) : pieces ? (
              <Pieces
                pieceStyle={styles.idPiece}
                pieces={pieces}
                style={styles.id}
                tag="P"
                text={value}
              />
            ) : (
              <Words drawing={drawing} text={value} />
            )}
          </View>
        </View>
      ))}
    </View>
  );
}

/** One of our numbers, in groups as on the pages; its font has no space. */
function OurNumber({ drawing: { styles }, number }: { drawing: Drawing; number: string }) {
  const grouped = formatNumber(number);
  return (
    <Pieces
      pieceStyle={styles.idPiece}
      pieces={grouped.split(' ')}
      style={styles.grouped}
      tag="P"
      text={grouped}
    />
  );
}

/** A name, with line breaks between its words only. */
function Words({ drawing: { styles }, text }: { drawing: Drawing; text: string }) {
  return (
    <Pieces
      pieceStyle={styles.value}
      pieces={wordsOf(text)}
      style={styles.words}
      tag="P"
      text={text}
    />
  );
}

const ARABIC = /\p{Script=Arabic}/u;

/**
 * A word with letters of two fonts might be broken between them ("Çağ-rı"), so each word is a text of its own. Arabic
 * needs one font and must be laid out as a whole.
 */
const wordsOf = (value: string): string[] => (ARABIC.test(value) ? [value] : value.split(' '));

const PIECE = 4;

/** The library never breaks words, and a provider's id may be longer than its column. */
function piecesOf(id: string): string[] {
  return id.match(new RegExp(`.{1,${PIECE}}`, 'gu')) ?? [];
}

/** With more lines than these, distances are reduced. */
const EASY_LINES = 6;

/** Draws a receipt or credit note as a PDF, in the language it was issued in: one page, unless an order is long. */
export function drawReceipt(kind: ReceiptKind, number: string, facts: ReceiptFacts) {
  const language = isLanguage(facts.language) ? facts.language : 'en';
  const t = makeTranslate(language, 'receipt');
  const styles = receiptStyles(textDirection(language), facts.lines.length > EASY_LINES);
  return drawPdf(<Receipt drawing={{ kind, facts, language, t, styles }} number={number} />);
}

function Receipt({ drawing, number }: { drawing: Drawing; number: string }) {
  const { kind, facts, language, t, styles } = drawing;
  const { operator, corrects } = facts;
  return (
    <Document
      author={operator.legalName}
      creationDate={new Date(facts.at)}
      language={language}
      title={`${t(`title.${kind}`)} ${number}`}
    >
      <Page size="A4" style={styles.page}>
        <View
          fixed
          render={({ pageNumber }) =>
            pageNumber === 1 ? null : (
              <Text style={styles.folioText}>{`${number} · ${pageNumber}`}</Text>
            )
          }
          style={styles.folio}
          tag="Artifact"
        />
        <View style={styles.head}>
          <Lockup />
          <View style={styles.issuer}>
            <Text style={styles.issuerLine}>{leftToRight(operator.legalName)}</Text>
            <Text style={styles.issuerLine}>{leftToRight(operator.address)}</Text>
            <Text style={styles.issuerLine}>
              {t('taxNumber', { taxNumber: leftToRight(operator.taxNumber) })}
            </Text>
          </View>
        </View>
        <Text style={styles.title} tag="H1">
          {t(`title.${kind}`)}
        </Text>
        <Text style={styles.lead}>
          {t(`lead.${kind}`, {
            number: leftToRight(corrects?.number ?? ''),
            date: corrects ? formatDate(toPlainDate(new Date(corrects.at), UTC), language) : '',
          })}
        </Text>
        {facts.isTest ? <Text style={styles.test}>{t('test')}</Text> : null}
        <Perforation style={styles.perforation} />
        <View style={styles.band} tag="L">
          <View style={styles.bandPart} tag="LI">
            <Text style={styles.caption} tag="Lbl">
              {t(`number.${kind}`)}
            </Text>
            <Text style={styles.number} tag="LBody">
              {number}
            </Text>
          </View>
          <View style={styles.bandEnd} tag="LI">
            <Text style={styles.caption} tag="Lbl">
              {t(`total.${kind}`)}
            </Text>
            <Text style={styles.sum} tag="LBody">
              {formatMoney(usd(facts.totalMinor), language)}
            </Text>
          </View>
        </View>
        <Perforation />
        <ReceiptDetails drawing={drawing} />
        <ReceiptLines drawing={drawing} />
        <View wrap={false}>
          <StarLine style={styles.stars} />
          <Text style={styles.small}>
            {t('privateService')}
            {facts.authoritiesCharge
              ? ` ${t(`catalog:authoritiesCharge.${facts.authoritiesCharge}`)}`
              : ''}
          </Text>
        </View>
      </Page>
    </Document>
  );
}

/** The lines with their sum: by application number where there are several, by name for several travellers. */
function ReceiptLines({ drawing }: { drawing: Drawing }) {
  const { kind, facts, t, styles, language } = drawing;
  const groups = byTraveller(facts.lines);
  const isOne = new Set(facts.lines.map((line) => line.applicationNumber)).size === 1;
  return (
    <View tag="Table">
      <View style={styles.linesHead} tag="TR">
        <Text scope="Column" style={styles.headText} tag="TH">
          {t(`lines.${kind}`)}
        </Text>
        <Text scope="Column" style={styles.headText} tag="TH">
          {t('amount')}
        </Text>
      </View>
      {groups.map(({ traveller, applications }) => (
        <View key={traveller?.position ?? 0} wrap={traveller === undefined}>
          {traveller ? (
            <View style={styles.traveller} tag="TR">
              <View columns={2} scope="Column" tag="TH">
                <Words drawing={drawing} text={traveller.name} />
              </View>
            </View>
          ) : null}
          {applications.map(([number, lines]) => (
            <View key={number} wrap={false}>
              {isOne && !traveller ? null : (
                <View tag="TR">
                  <View columns={2} scope="Column" style={styles.application} tag="TH">
                    <Text style={styles.headText}>{t('application')}</Text>
                    <OurNumber drawing={drawing} number={number} />
                  </View>
                </View>
              )}
              {lines.map((line, index) => (
                <Line drawing={drawing} key={index} line={line} />
              ))}
            </View>
          ))}
        </View>
      ))}
      <View style={styles.total} tag="TR" wrap={false}>
        <Text scope="Row" style={styles.headText} tag="TH">
          {t(`total.${kind}`)}
        </Text>
        <Text style={styles.amount} tag="TD">
          {formatMoney(usd(facts.totalMinor), language)}
        </Text>
      </View>
    </View>
  );
}

function Line({ drawing: { t, styles, language }, line }: { drawing: Drawing; line: ReceiptLine }) {
  return (
    <View style={styles.line} tag="TR">
      <View scope="Row" style={styles.lineText} tag="TH">
        <Text style={styles.lineLabel}>{lineLabel(t, line)}</Text>
        {line.reason === undefined ? null : (
          <Text style={styles.reason}>{reasonWords(t, line, language)}</Text>
        )}
      </View>
      <Text style={styles.amount} tag="TD">
        {formatMoney(usd(line.amountMinor), language)}
      </Text>
    </View>
  );
}

type Group = {
  traveller: ReceiptTraveller | undefined;
  applications: [number: string, lines: ReceiptLine[]][];
};

/** One group for each traveller, in order; a single one where lines name none. */
function byTraveller(lines: readonly ReceiptLine[]): Group[] {
  const positions = new Map<number, ReceiptLine[]>();
  for (const line of lines) {
    const position = line.traveller?.position ?? 0;
    positions.set(position, [...(positions.get(position) ?? []), line]);
  }
  return [...positions]
    .toSorted(([one], [other]) => one - other)
    .map(([, own]) => ({ traveller: own[0]?.traveller, applications: byApplication(own) }));
}

function byApplication(lines: readonly ReceiptLine[]): [number: string, lines: ReceiptLine[]][] {
  const groups = new Map<string, ReceiptLine[]>();
  for (const line of lines) {
    groups.set(line.applicationNumber, [...(groups.get(line.applicationNumber) ?? []), line]);
  }
  return [...groups];
}

/** A receipt's styles for one reading direction, similar to the insurance certificate's; `dense` for many lines. */
function receiptStyles(direction: 'ltr' | 'rtl', dense: boolean) {
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
type Drawing = {
  kind: ReceiptKind;
  facts: ReceiptFacts;
  language: Language;
  t: Translate<'receipt'>;
  styles: ReturnType<typeof receiptStyles>;
};
