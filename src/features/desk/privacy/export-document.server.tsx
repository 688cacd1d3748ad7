import { Document, Page, StyleSheet, Text, View } from '@react-pdf/renderer';
import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import { directionOf, type Language } from '~/base/languages.ts';
import { copyStyles, Rows } from '~/features/copy/copy-document.server.tsx';
import type { CopyRow } from '~/features/copy/copy-groups.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { px } from '~/platform/pdf/pdf-look.server.ts';
import { Lockup, Perforation, StarLine } from '~/platform/pdf/pdf-ornament.server.tsx';
import { drawPdf } from '~/platform/pdf/pdf.server.ts';

export type ExportGroup = { title: string; rows: readonly CopyRow[] };

export type ExportFacts = {
  language: Language;
  madeAt: Date;
  operatorName: string;
  /** The address of the page that says why data is used, by whom and how long. */
  privacyPage: string;
  groups: readonly ExportGroup[];
};

/** Draws what a person is told about their data as a PDF, in their language. */
export function drawExport(facts: ExportFacts): Promise<Buffer> {
  return drawPdf(<ExportDocument facts={facts} />);
}

function ExportDocument({ facts }: { facts: ExportFacts }) {
  const { language, madeAt, operatorName, privacyPage, groups } = facts;
  const styles = copyStyles(directionOf(language));
  const t = textsIn(language, 'receipt');
  const made = t('day', { date: formatDate(dateOf(madeAt, UTC), language) });
  return (
    <Document
      author={operatorName}
      creationDate={madeAt}
      language={language}
      title={t('data.title')}
    >
      <Page size="A4" style={styles.page} wrap>
        <View style={styles.head}>
          <Lockup />
          <Text style={styles.issuer}>{operatorName}</Text>
        </View>
        <Text style={styles.title}>{t('data.title')}</Text>
        <Text style={styles.lead}>{t('data.lead')}</Text>
        <Perforation style={styles.perforation} />
        <View style={styles.group}>
          <Rows rows={[{ term: t('data.madeOn'), value: made, latin: false }]} styles={styles} />
        </View>
        {groups.map(({ title, rows }, index) => (
          <View key={index} style={styles.group}>
            <Text minPresenceAhead={40} style={styles.groupTitle}>
              {title}
            </Text>
            <Rows rows={rows} styles={styles} />
          </View>
        ))}
        <View style={own.end} wrap={false}>
          <StarLine style={styles.stars} />
          <Text style={styles.small}>{t('data.note', { address: privacyPage })}</Text>
        </View>
      </Page>
    </Document>
  );
}

const own = StyleSheet.create({ end: { marginTop: px(12) } });
