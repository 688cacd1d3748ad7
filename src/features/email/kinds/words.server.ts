import type { Translate } from '~/base/read-text.ts';
import { joinMoment, writeMoment } from '~/base/dates/write-moment.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { factsOf, isLanguage, type Language } from '~/base/languages.ts';
import { retention } from '~/base/retention-periods.ts';
import { lineLabel } from '~/features/order/receipt/line-label.ts';
import { reasonWords } from '~/features/order/receipt/reason-words.ts';
import type { ReceiptLine } from '~/features/order/receipt/receipt-facts.ts';
import { isEmailAddress } from '~/base/email-address.ts';
import { rejectionText, type Rejected } from '~/features/application/templates/templates.server.ts';
import type { Operated } from '~/features/settings/operator.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Footer, Row } from '../layout/content.ts';

/** What every email needs: its language, the texts, the operator's address and how to link to pages. */
export type Words = {
  language: Language;
  t: Translate<'email'>;
  /** The reason of a rejection in a sentence; null for one that has only the reviewer's words. */
  rejection(of: Rejected): string | null;
  footer: Footer;
  /** Closing sentence on how to reach us. */
  reply: string;
  /** The operator's e-mail address, or its placeholder. */
  contact: string;
  /** A line of an order or of a receipt: what it is for, and its amount. */
  row(line: { code: string; detail: string | null; amountMinor: number }): Row;
  /** The kind of an application: "E-visa". */
  kind(of: 'visa' | 'insurance'): string;
  /** Why a line is refunded. */
  reason(line: ReceiptLine): string;
  /** The name of the payment provider. */
  partner(provider: string): string;
  /** A page of ours in the e-mail's language. */
  page(path: string): string;
  /** "Thursday 26 November 2026, 13:20 UTC (16:20 in Türkiye)". */
  moment(at: Date): string;
};

/** As texts write it, without a scheme. */
const OFFICIAL_SITE = 'evisa.gov.tr';

export function wordsFor(operated: Operated, tag: string): Words {
  const { config } = operated;
  const language: Language = isLanguage(tag) ? tag : 'en';
  const t = textsIn(language, 'email');
  const receipt = textsIn(language, 'receipt');
  const kinds = textsIn(language, 'application');
  const ui = textsIn(language, 'ui');
  const page = (path: string) => `${config.publicUrl}/${language}${path}`;
  const { legalName, address, taxNumber, supportEmail } = config.operator;
  return {
    language,
    t,
    rejection: (of) => rejectionText(operated.settings, of, language),
    page,
    row: (line) => ({
      label: lineLabel(receipt, line),
      value: formatMoney(usd(line.amountMinor), language),
    }),
    kind: (of) => kinds(`kind.${of}`),
    reason: (line) => reasonWords(receipt, line, language),
    partner: (provider) => receipt(`partner.${provider}`, { defaultValue: provider }),
    contact: supportEmail,
    reply: replyAddress(operated) ? t('reply') : t('contact', { contact: supportEmail }),
    moment: (at) => joinMoment(writeMoment(at, { t: ui, language, zone: null, style: 'long' })),
    footer: {
      privateService: t('footer.privateService', { site: OFFICIAL_SITE }),
      official: { label: OFFICIAL_SITE, href: factsOf(language).officialSite },
      operator: t('footer.operator', { legalName, address, taxNumber }),
      privacy: {
        text: t('footer.privacy', { count: retention.communication.years }),
        label: t('footer.privacyLink'),
        href: page('/privacy'),
      },
    },
  };
}

/** The address for replies; null while the operator's details are placeholders. */
export function replyAddress({ config }: Operated): string | null {
  const { supportEmail } = config.operator;
  return isEmailAddress(supportEmail) ? supportEmail : null;
}
