import type { Letter, Row, Section } from './letter.ts';

/** The same letter for programs that show no HTML. Lines end with a line feed. */
export function letterText(letter: Letter): string {
  const { footer, button, numbers } = letter;
  const blocks = [
    letter.heading,
    letter.greeting,
    ...letter.paragraphs,
    numbers && [numbers.label, ...numbers.values].join('\n'),
    `${button.label}:\n${button.href}`,
    letter.note,
    ...letter.sections.map(sectionText),
    ...letter.closing,
    '--',
    `${footer.privateService} ${footer.official.href}`,
    `${footer.privacy.text} ${footer.privacy.href}`,
    footer.operator,
  ];
  return `${blocks.filter((block) => block !== null).join('\n\n')}\n`;
}

const rowText = ({ label, value }: Row): string => `${label}: ${value}`;

function sectionText(section: Section): string {
  switch (section.kind) {
    case 'list':
      return [section.title, ...section.items.map((item) => `- ${item}`)].join('\n');
    case 'quote':
      return `${section.title}\n${section.text}`;
    case 'receipt':
      return [
        section.title,
        ...[...section.rows, section.total, ...section.facts].map(rowText),
      ].join('\n');
  }
}
