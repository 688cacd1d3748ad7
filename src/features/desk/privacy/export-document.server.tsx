import { Document, Page, StyleSheet, Text, View } from '@react-pdf/renderer';
import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import { directionOf, type Language } from '~/base/languages.ts';
import { copyStyles, Rows } from '~/features/status/copy-document.server.tsx';
import type { CopyRow } from '~/features/status/copy-groups.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { px, Lockup, Perforation, StarLine } from '~/platform/pdf/pdf-parts.server.tsx';
import { drawPdf } from '~/platform/pdf/pdf.server.ts';

export type ExportGroup = { title: string; rows: readonly CopyRow[] };

/** `lead`: a sentence under the title. */
export type ExportChapter = {
  title: string;
  lead: string | null;
  groups: readonly ExportGroup[];
};

export type ExportFacts = {
  language: Language;
  madeAt: Date;
  operatorName: string;
  /** The address of the page that says why data is used, by whom and how long. */
  privacyPage: string;
  chapters: readonly ExportChapter[];
};

/** Draws what a person is told about their data as a PDF, in their language. */
export function drawExport(facts: ExportFacts): Promise<Buffer> {
  const chapters = facts.chapters.map((chapter) => ({
    ...chapter,
    groups: chapter.groups.map(({ title, rows }) => ({
      title: printable(title),
      rows: rows.map(({ term, value, latin }) => ({
        term: printable(term),
        value: printable(value),
        latin,
      })),
    })),
  }));
  const isWhole = JSON.stringify(chapters) === JSON.stringify(facts.chapters);
  return drawPdf(<ExportDocument facts={{ ...facts, chapters }} isWhole={isWhole} />);
}

/** Letters that our fonts do not have: of other scripts, and emojis. */
const OTHERS =
  /[^\p{Script=Latin}\p{Script=Arabic}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}|[\u3000-\u303f\uff00-\uffef]/gu;

/** The library would draw other letters in their place. */
const printable = (text: string) => text.replaceAll(OTHERS, '?');

/** `isWhole`: whether every letter could be drawn. */
function ExportDocument({ facts, isWhole }: { facts: ExportFacts; isWhole: boolean }) {
  const { language, madeAt, operatorName, privacyPage, chapters } = facts;
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
        <Text style={styles.title} tag="H1">
          {t('data.title')}
        </Text>
        <Text style={styles.lead}>{t('data.lead')}</Text>
        <Perforation style={styles.perforation} />
        <View style={styles.group}>
          <Rows rows={[{ term: t('data.madeOn'), value: made, latin: false }]} styles={styles} />
        </View>
        {chapters.map((chapter) => (
          <View key={chapter.title}>
            <View style={own.chapter} wrap={false}>
              <Text style={[styles.title, own.chapterTitle]} tag="H2">
                {chapter.title}
              </Text>
              {chapter.lead === null ? null : <Text style={styles.lead}>{chapter.lead}</Text>}
            </View>
            {chapter.groups.map(({ title, rows }, index) => (
              <View key={index} style={styles.group}>
                {/* A heading stays with the first row. */}
                <View wrap={false}>
                  <Text style={styles.groupTitle} tag="H3">
                    {title}
                  </Text>
                  <Rows rows={rows.slice(0, 1)} styles={styles} />
                </View>
                <Rows rows={rows.slice(1)} styles={styles} />
              </View>
            ))}
          </View>
        ))}
        <View style={own.end} wrap={false}>
          <StarLine style={styles.stars} />
          {isWhole ? null : <Text style={styles.small}>{t('personal-data:unprintable')}</Text>}
          <Text style={styles.small}>{t('data.note', { address: privacyPage })}</Text>
        </View>
      </Page>
    </Document>
  );
}

const own = StyleSheet.create({
  end: { marginTop: px(12) },
  chapter: { marginTop: px(20) },
  chapterTitle: { fontSize: px(24), marginTop: 0 },
});
