import { Text, View } from '@react-pdf/renderer';
import { formatNumber } from '~/base/format-number.ts';
import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { Pieces } from '~/platform/pdf/pdf-pieces.server.tsx';
import type { Drawing } from './receipt-styles.server.ts';

/** Operator, payer, date and payment method. */
export function ReceiptDetails({ drawing }: { drawing: Drawing }) {
  const { kind, facts, language, t, styles } = drawing;
  const isRefund = kind === 'credit_note';
  const rows: { key: CodeIn<'receipt', 'fact'>; value: string; pieces?: string[] }[] = [
    { key: isRefund ? 'refunded' : 'payer', value: facts.payer },
    { key: 'order', value: facts.orderNumber },
    {
      key: isRefund ? 'refundedOn' : 'paidOn',
      value: t('day', { date: formatDate(dateOf(new Date(facts.at), UTC), language) }),
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
export function OurNumber({ drawing: { styles }, number }: { drawing: Drawing; number: string }) {
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
export function Words({ drawing: { styles }, text }: { drawing: Drawing; text: string }) {
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
