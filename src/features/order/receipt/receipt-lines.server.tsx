import { Text, View } from '@react-pdf/renderer';
import { formatMoney, usd } from '~/base/money.ts';
import { lineLabel } from './line-label.ts';
import { reasonWords } from './reason-words.ts';
import type { ReceiptLine } from './receipt-facts.ts';
import type { Drawing } from './receipt-styles.server.ts';

/** The lines, under the number of their application where there are several, and their sum. */
export function ReceiptLines({ drawing }: { drawing: Drawing }) {
  const { kind, facts, language, t, styles } = drawing;
  const groups = byApplication(facts.lines);
  return (
    <>
      <View style={styles.linesHead}>
        <Text style={styles.headText}>{t(`lines.${kind}`)}</Text>
        <Text style={styles.headText}>{t('amount')}</Text>
      </View>
      {groups.map(([number, lines]) => (
        <View key={number} wrap={false}>
          {groups.length > 1 ? (
            <View style={styles.application}>
              <Text style={styles.headText}>{t('application')}</Text>
              <Text style={styles.applicationNumber}>{number}</Text>
            </View>
          ) : null}
          {lines.map((line, index) => (
            <View key={index} style={styles.line}>
              <View style={styles.lineText}>
                <Text style={styles.lineLabel}>{lineLabel(t, line)}</Text>
                {line.reason === undefined ? null : (
                  <Text style={styles.reason}>{reasonWords(t, line, language)}</Text>
                )}
              </View>
              <Text style={styles.amount}>{formatMoney(usd(line.amountMinor), language)}</Text>
            </View>
          ))}
        </View>
      ))}
      <View style={styles.total} wrap={false}>
        <Text style={styles.headText}>{t(`total.${kind}`)}</Text>
        <Text style={styles.amount}>{formatMoney(usd(facts.totalMinor), language)}</Text>
      </View>
    </>
  );
}

function byApplication(lines: readonly ReceiptLine[]): [number: string, lines: ReceiptLine[]][] {
  const groups = new Map<string, ReceiptLine[]>();
  for (const line of lines) {
    groups.set(line.applicationNumber, [...(groups.get(line.applicationNumber) ?? []), line]);
  }
  return [...groups];
}
