import { Text, View } from '@react-pdf/renderer';
import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import type { Drawing } from './receipt-styles.server.ts';

/** Operator, payer, date and payment method. */
export function ReceiptDetails({ drawing }: { drawing: Drawing }) {
  const { kind, facts, language, t, styles } = drawing;
  const isRefund = kind === 'credit_note';
  const rows: { key: CodeIn<'receipt', 'fact'>; value: string; isId?: boolean }[] = [
    { key: isRefund ? 'refunded' : 'payer', value: facts.payer },
    { key: 'order', value: facts.orderNumber, isId: true },
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
    rows.push({ key, value: facts.transaction, isId: true });
  }
  return (
    <View style={styles.facts}>
      {rows.map(({ key, value, isId }) => (
        <View key={key} style={styles.fact} wrap={false}>
          <Text style={styles.caption}>{t(`fact.${key}`)}</Text>
          {isId ? (
            <View style={styles.id}>
              {piecesOf(value).map((piece, index) => (
                <Text key={index} style={styles.idPiece}>
                  {piece}
                </Text>
              ))}
            </View>
          ) : (
            <Words drawing={drawing} text={value} />
          )}
        </View>
      ))}
    </View>
  );
}

/** A name, with line breaks between its words only. */
export function Words({ drawing: { styles }, text }: { drawing: Drawing; text: string }) {
  return (
    <View style={styles.words}>
      {wordsOf(text).map((word, index) => (
        <Text key={index} style={styles.value}>
          {word}
        </Text>
      ))}
    </View>
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
