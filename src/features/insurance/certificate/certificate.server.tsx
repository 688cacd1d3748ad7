import { Document, Link, Page, Path, Svg, Text, View, StyleSheet } from '@react-pdf/renderer';
import type { Translate } from '~/base/read-text.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import type { ReactNode } from 'react';
import { leftToRight, withoutIsolates } from '~/base/isolated.ts';
import { formatDate, type PlainDate } from '~/base/dates/dates.ts';
import { textDirection, type Language } from '~/base/languages.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import { formatNumber } from '~/base/format-number.ts';
import {
  colour,
  px,
  paperLook,
  Lockup,
  Perforation,
  StarLine,
  Pieces,
} from '~/platform/pdf/pdf-parts.server.tsx';
import { drawPdf } from '~/platform/pdf/pdf.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { listedName } from '~/features/application/full-name.ts';
import { planLength } from '../rules/plans.ts';
import { qrPath } from '~/ui/qr-path.ts';
import { coverLimit, coverTitle, type Terms } from '../rules/terms.ts';
import { machineReadable } from '~/features/application/machine-readable.ts';

/** All that a certificate says, in the applicant's language where texts depend on it. */
export type CertificateFacts = {
  language: Language;
  number: string;
  planDays: number;
  firstName: string;
  lastName: string;
  dateOfBirth: PlainDate;
  /** The country's name. */
  nationality: string;
  passportNumber: string;
  from: PlainDate;
  /** The last insured day. */
  until: PlainDate;
  /** The country's name, or what was typed. */
  destination: string;
  premium: Money;
  paidOn: PlainDate;
  issuedOn: PlainDate;
  cancelledOn: PlainDate | null;
  terms: Terms;
  operator: { legalName: string; address: string; taxNumber: string };
  /** The address of this version of the terms. */
  termsAddress: string;
  /** The address at which anybody can check that the certificate is valid. */
  verifyAddress: string;
};

type Styles = ReturnType<typeof certificateStyles>;

/** The certificate as a PDF of one A4 page. */
export function drawCertificate(facts: CertificateFacts): Promise<Buffer> {
  return drawPdf(
    <Certificate
      facts={facts}
      insurance={makeTranslate(facts.language, 'insurance')}
      t={makeTranslate(facts.language, 'certificate')}
    />,
  );
}

function Certificate({
  facts,
  t,
  insurance,
}: {
  facts: CertificateFacts;
  t: Translate<'certificate'>;
  insurance: Translate<'insurance'>;
}) {
  const { language, terms } = facts;
  const direction = textDirection(language);
  const styles = certificateStyles(direction, isLong(facts));
  const date = (day: CertificateFacts['from']) => formatDate(day, language);
  const number = formatNumber(facts.number);
  return (
    <Document
      author={facts.operator.legalName}
      creationDate={new Date(`${facts.issuedOn}T00:00:00Z`)}
      language={language}
      title={`${t('title')} ${number}`}
    >
      <Page size="A4" style={styles.page}>
        <View style={styles.head}>
          <Lockup />
          <Text style={styles.kind}>{t('document')}</Text>
        </View>
        <Text style={styles.title} tag="H1">
          {t('title')}
        </Text>
        {facts.cancelledOn ? (
          <Text style={styles.cancelled}>{t('cancelled', { date: date(facts.cancelledOn) })}</Text>
        ) : (
          <Text style={styles.lead}>{t('lead')}</Text>
        )}
        <Perforation style={styles.perforation} />
        <View style={styles.band} tag="L">
          <View style={styles.bandPart} tag="LI">
            <Text style={styles.caption} tag="Lbl">
              {t('number')}
            </Text>
            <Pieces pieces={number.split(' ')} style={styles.number} tag="LBody" text={number} />
          </View>
          <View style={styles.bandPart} tag="LI">
            <Text style={styles.caption} tag="Lbl">
              {t('plan')}
            </Text>
            <Text style={styles.plan} tag="LBody">
              {planLength(facts.planDays, t)}
            </Text>
          </View>
        </View>
        <Perforation />
        <Facts facts={facts} styles={styles} t={t} />
        <View tag="Table">
          <View style={styles.coverHead} tag="TR">
            <Text scope="Column" tag="TH">
              {t('cover.title')}
            </Text>
            <Text scope="Column" tag="TH">
              {t('cover.limit')}
            </Text>
          </View>
          {terms.covers.map((cover) => (
            <View key={cover.code} style={styles.cover} tag="TR">
              <Text scope="Row" style={styles.coverTitle} tag="TH">
                {withoutIsolates(coverTitle(cover, language, insurance))}
              </Text>
              <Text style={styles.coverLimit} tag="TD">
                {withoutIsolates(coverLimit(cover, language, insurance))}
              </Text>
            </View>
          ))}
        </View>
        {terms.isSample ? <Text style={styles.sample}>{t('sample')}</Text> : null}
        <View style={styles.check}>
          <Code address={facts.verifyAddress} />
          <View style={styles.checkText}>
            <Text style={styles.checkTitle} tag="H2">
              {t('check.title')}
            </Text>
            <Text style={styles.paragraph}>
              {strong(t('check.scan', { address: leftToRight(facts.verifyAddress) }), styles)}
            </Text>
            {terms.assistancePhone ? (
              <Text style={styles.paragraph}>
                {strong(
                  t('check.emergency', { phone: leftToRight(terms.assistancePhone) }),
                  styles,
                )}
              </Text>
            ) : null}
            <Link src={facts.termsAddress} style={styles.link}>
              <Text style={styles.paragraph}>
                {t('terms', { address: leftToRight(facts.termsAddress) })}
              </Text>
            </Link>
            {terms.complaintContact ? (
              <Text style={styles.paragraph}>
                {t('complaints', { contact: leftToRight(terms.complaintContact) })}
              </Text>
            ) : null}
          </View>
        </View>
        <StarLine style={styles.stars} />
        <Text style={styles.small}>
          {t('small', {
            insurer:
              leftToRight(
                [terms.insurer, terms.address, terms.licence].filter(Boolean).join(', '),
              ) || t('open.insurer'),
            operator: leftToRight(facts.operator.legalName),
            address: leftToRight(facts.operator.address),
            taxNumber: leftToRight(facts.operator.taxNumber),
            date: date(facts.issuedOn),
          })}
        </Text>
      </Page>
    </Document>
  );
}

/** Whether the texts need a denser page. */
const isLong = ({ firstName, lastName, terms }: CertificateFacts): boolean =>
  firstName.length + lastName.length > 50 ||
  terms.covers.length > 3 ||
  // Adds two lines beside the code.
  terms.complaintContact !== null;

function Facts({
  facts,
  styles,
  t,
}: {
  facts: CertificateFacts;
  styles: Styles;
  t: Translate<'certificate'>;
}) {
  const { language, firstName, lastName } = facts;
  const date = (day: CertificateFacts['from']) => formatDate(day, language);
  const paid = { amount: formatMoney(facts.premium, language), date: date(facts.paidOn) };
  const spelt = asPassportPrints(firstName, lastName);
  const rows: [key: CodeIn<'certificate', 'fact'>, value: string, below?: string][] = [
    ['person', listedName(facts), spelt ?? undefined],
    ['birth', date(facts.dateOfBirth)],
    ['nationality', facts.nationality],
    ['passport', facts.passportNumber],
    ['from', date(facts.from)],
    ['until', date(facts.until)],
    ['destination', facts.destination],
    ['premium', t('premium', paid)],
  ];
  return (
    <View style={styles.facts} tag="L">
      {rows.map(([key, value, below]) => (
        <View key={key} style={styles.fact} tag="LI" wrap={false}>
          <Text style={styles.caption} tag="Lbl">
            {t(`fact.${key}`)}
          </Text>
          <View tag="LBody">
            <Text style={key === 'passport' ? styles.mono : styles.value}>{value}</Text>
            {below === undefined ? null : <Text style={styles.spelt}>{below}</Text>}
          </View>
        </View>
      ))}
    </View>
  );
}

/** The name as the machine-readable lines of a passport print it; null where that is the same. */
function asPassportPrints(firstName: string, lastName: string): string | null {
  const [last, first] = [machineReadable(lastName), machineReadable(firstName)];
  if (!last.ok || !first.ok) return null;
  const isSame = last.text === lastName.toUpperCase() && first.text === firstName.toUpperCase();
  return isSame ? null : listedName({ firstName: first.text, lastName: last.text });
}

function Code({ address }: { address: string }) {
  const { size, path } = qrPath(address);
  return (
    <View alt={`QR: ${address}`} tag="Figure">
      <Svg height={px(104)} viewBox={`0 0 ${size} ${size}`} width={px(104)}>
        <Path d={path} fill={colour.ink} />
      </Svg>
    </View>
  );
}

/** Renders a sentence that contains `<b>…</b>`. */
function strong(sentence: string, styles: Styles): ReactNode[] {
  return sentence.split(/<\/?b>/).map((part, index) =>
    index % 2 === 1 ? (
      <Text key={index} style={styles.strong}>
        {part}
      </Text>
    ) : (
      part
    ),
  );
}

/** The certificate's styles for one reading direction; `dense` reduces distances for long names and many covers. */
function certificateStyles(direction: 'ltr' | 'rtl', dense: boolean) {
  const look = paperLook(direction, dense);
  const { gap, isRtl, fonts, row, text, end, alignStart, mono, head, small } = look;
  return StyleSheet.create({
    page: {
      paddingTop: px(54),
      paddingBottom: px(40),
      paddingHorizontal: px(72),
      fontFamily: fonts.text,
      fontSize: px(15),
      lineHeight: small.lineHeight,
      color: colour.ink,
    },
    head: { ...head, paddingBottom: px(20) },
    kind: { fontSize: px(14), color: colour.ink2, textAlign: end, direction },
    title: {
      fontFamily: fonts.heading,
      fontWeight: 600,
      fontSize: px(isRtl ? 36 : 42),
      lineHeight: isRtl ? 1.5 : 1.15,
      marginTop: gap(isRtl ? 18 : 34),
      ...text,
    },
    lead: {
      marginTop: gap(8),
      maxWidth: px(560),
      fontSize: px(17),
      color: colour.ink2,
      ...text,
      alignSelf: alignStart,
    },
    band: {
      flexDirection: row,
      justifyContent: 'space-between',
      alignItems: 'flex-start',
      paddingVertical: gap(isRtl ? 12 : 18),
    },
    bandPart: { alignItems: alignStart },
    perforation: { marginTop: gap(isRtl ? 18 : 26) },
    caption: { fontSize: px(13.5), color: colour.ink2, ...text },
    // Groups are separated by margins, as this font has no space.
    number: {
      flexDirection: 'row',
      gap: px(14),
      ...mono,
      fontSize: px(26),
      lineHeight: 1.3,
    },
    plan: {
      fontFamily: fonts.heading,
      fontWeight: 600,
      fontSize: px(27),
      lineHeight: isRtl ? 1.4 : 1.25,
      ...text,
    },
    facts: { flexDirection: row, flexWrap: 'wrap', marginTop: gap(isRtl ? 18 : 24) },
    fact: {
      width: '50%',
      marginBottom: gap(isRtl ? 12 : 15),
      [isRtl ? 'paddingLeft' : 'paddingRight']: px(16),
    },
    value: { fontWeight: 600, fontSize: px(16.5), lineHeight: 1.35, ...text },
    spelt: { fontSize: px(12.5), lineHeight: 1.4, color: colour.ink2, ...text },
    mono: {
      ...mono,
      fontSize: px(16.5),
      lineHeight: 1.35,
      ...text,
    },
    coverHead: {
      marginTop: gap(isRtl ? 6 : 10),
      flexDirection: row,
      justifyContent: 'space-between',
      paddingBottom: px(7),
      borderBottom: `1 solid ${colour.ink}`,
      fontSize: px(13.5),
      fontWeight: 600,
      color: colour.ink2,
    },
    cover: {
      flexDirection: row,
      justifyContent: 'space-between',
      gap: px(16),
      paddingVertical: gap(isRtl ? 5 : 7),
      borderBottom: `1 solid ${colour.line}`,
      fontSize: px(14.5),
    },
    coverLimit: { textAlign: end, direction, flexShrink: 0, maxWidth: '45%' },
    coverTitle: { ...text, flexShrink: 1 },
    sample: { marginTop: gap(8), fontSize: px(13), color: colour.red, ...text },
    check: {
      flexDirection: row,
      gap: px(28),
      marginTop: gap(isRtl ? 16 : 24),
      alignItems: 'center',
    },
    checkText: { flexGrow: 1, flexShrink: 1, flexBasis: 0 },
    checkTitle: {
      fontFamily: fonts.heading,
      fontWeight: 600,
      fontSize: px(19),
      lineHeight: isRtl ? 1.6 : 1.3,
      ...text,
    },
    paragraph: { marginTop: gap(4), fontSize: px(14), ...text },
    link: { color: colour.ink, textDecoration: 'none' as const },
    strong: { fontWeight: 600 },
    stars: { marginTop: gap(isRtl ? 14 : 20) },
    small,
    cancelled: {
      marginTop: gap(16),
      paddingVertical: gap(10),
      paddingHorizontal: px(16),
      borderRadius: 6,
      backgroundColor: colour.redGround,
      color: colour.red,
      fontWeight: 600,
      ...text,
    },
  });
}
