import { Text, View } from '@react-pdf/renderer';
import { formatMoney, usd } from '~/base/money.ts';
import { lineLabel } from './line-label.ts';
import { reasonWords } from './reason-words.ts';
import { OurNumber, Words } from './receipt-details.server.tsx';
import type { ReceiptLine, ReceiptTraveller } from './receipt-facts.ts';
import type { Drawing } from './receipt-styles.server.ts';

/** The lines with their sum: by application number where there are several, by name for several travellers. */
export function ReceiptLines({ drawing }: { drawing: Drawing }) {
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
