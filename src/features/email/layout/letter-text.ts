import { colonIn } from '~/base/languages.ts';
import type { Letter, Row, Section } from './letter.ts';

/** The same letter for programs that show no HTML. Lines end with a line feed. */
export function letterText(letter: Letter): string {
  const { footer, button, numbers } = letter;
  const colon = colonIn(letter.language);
  const blocks = [
    letter.heading,
    letter.greeting,
    ...letter.paragraphs,
    numbers && [numbers.label, ...numbers.values].join('\n'),
    `${button.label}${colon}\n${button.href}`,
    letter.note,
    ...letter.sections.map((section) => sectionText(section, colon)),
    ...letter.closing,
    '--',
    `${footer.privateService} ${footer.official.href}`,
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
