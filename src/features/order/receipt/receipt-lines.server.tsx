import { Text, View } from '@react-pdf/renderer';
import { formatMoney, usd } from '~/base/money.ts';
import { lineLabel } from './line-label.ts';
import { reasonWords } from './reason-words.ts';
import { Words } from './receipt-details.server.tsx';
import type { ReceiptLine, ReceiptTraveller } from './receipt-facts.ts';
import type { Drawing } from './receipt-styles.server.ts';

/** The lines with their sum: by application number where there are several, by name for several travellers. */
export function ReceiptLines({ drawing }: { drawing: Drawing }) {
  const { kind, facts, t, styles, language } = drawing;
  const groups = byTraveller(facts.lines);
  const isOne = new Set(facts.lines.map((line) => line.applicationNumber)).size === 1;
  return (
    <>
      <View style={styles.linesHead}>
        <Text style={styles.headText}>{t(`lines.${kind}`)}</Text>
        <Text style={styles.headText}>{t('amount')}</Text>
      </View>
      {groups.map(({ traveller, applications }) => (
        <View key={traveller?.position ?? 0} wrap={traveller === undefined}>
          {traveller ? (
            <View style={styles.traveller}>
              <Words drawing={drawing} text={traveller.name} />
            </View>
          ) : null}
          {applications.map(([number, lines]) => (
            <View key={number} wrap={false}>
              {isOne && !traveller ? null : (
                <View style={styles.application}>
                  <Text style={styles.headText}>{t('application')}</Text>
                  <Text style={styles.applicationNumber}>{number}</Text>
                </View>
              )}
              {lines.map((line, index) => (
                <Line drawing={drawing} key={index} line={line} />
              ))}
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

function Line({ drawing: { t, styles, language }, line }: { drawing: Drawing; line: ReceiptLine }) {
  return (
    <View style={styles.line}>
      <View style={styles.lineText}>
        <Text style={styles.lineLabel}>{lineLabel(t, line)}</Text>
        {line.reason === undefined ? null : (
          <Text style={styles.reason}>{reasonWords(t, line, language)}</Text>
        )}
      </View>
      <Text style={styles.amount}>{formatMoney(usd(line.amountMinor), language)}</Text>
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
