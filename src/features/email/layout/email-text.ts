import { colonIn } from '~/base/languages.ts';
import { aroundOfficial, type EmailContent, type Row, type Section } from './content.ts';

/** The email for programs that show no HTML. Lines end with a line feed. */
export function emailText(content: EmailContent): string {
  const { footer, button, numbers } = content;
  const colon = colonIn(content.language);
  const [before, after] = aroundOfficial(footer);
  const blocks = [
    content.heading,
    content.greeting,
    ...content.paragraphs,
    numbers && [numbers.label, ...numbers.values].join('\n'),
    `${button.label}${colon}\n${button.href}`,
    content.note,
    ...content.sections.map((section) => sectionText(section, colon)),
    ...content.closing,
    '--',
    `${before}${footer.official.href}${after}`,
    `${footer.privacy.text} ${footer.privacy.href}`,
    footer.operator,
  ];
  return `${blocks.filter((block) => block !== null).join('\n\n')}\n`;
}

function sectionText(section: Section, colon: string): string {
  const rowText = ({ label, value, note }: Row): string =>
    [`${label}${colon} ${value}`, ...(note ? [`  ${note}`] : [])].join('\n');
  switch (section.kind) {
    case 'list':
      return [section.title, ...section.items.map((item) => `- ${item}`)].join('\n');
    case 'quote':
      return `${section.title}\n${section.text}`;
    case 'receipt': {
      const { title, rows, total, facts, link } = section;
      const linkText = link ? [`${link.label}${colon}\n${link.href}`] : [];
      return [title, ...[...rows, total, ...facts].map(rowText), ...linkText].join('\n');
    }
  }
}
