import { Document, Page, Text, View } from '@react-pdf/renderer';
import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import { directionOf, isLanguage } from '~/base/languages.ts';
import { leftToRight } from '~/base/isolated.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { Lockup, Perforation, StarLine } from '~/platform/pdf/pdf-ornament.server.tsx';
import { drawPdf } from '~/platform/pdf/pdf.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { ReceiptFacts } from './receipt-facts.ts';
import type { ReceiptKind } from './receipt-number.ts';
import { ReceiptDetails } from './receipt-details.server.tsx';
import { ReceiptLines } from './receipt-lines.server.tsx';
import { receiptStyles, type Drawing } from './receipt-styles.server.ts';

/** With more lines than these, distances are reduced. */
const EASY_LINES = 6;

/** Draws a receipt or credit note as a PDF, in the language it was issued in: one page, unless an order is long. */
export function drawReceipt(kind: ReceiptKind, number: string, facts: ReceiptFacts) {
  const language = isLanguage(facts.language) ? facts.language : 'en';
  const t = textsIn(language, 'receipt');
  const styles = receiptStyles(directionOf(language), facts.lines.length > EASY_LINES);
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
            date: corrects ? formatDate(dateOf(new Date(corrects.at), UTC), language) : '',
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
