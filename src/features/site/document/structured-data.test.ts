import { describe, expect, it } from 'vitest';
import type { Article } from '../information/article.ts';
import { breadcrumbs, inScript, organization, questions } from './structured-data.ts';

const operator = {
  legalName: '[Operator legal name]',
  address: '1 Street, Town',
  taxNumber: '[Operator tax number]',
  supportEmail: 'support@operator.example',
  supportPhone: '[Support phone]',
};

describe('structured data', () => {
  it('says of the operator only what was filled in', () => {
    const written = JSON.parse(
      inScript(
        organization({ origin: 'https://lale.example', operator, year: 2026, testMode: null }),
      ),
    );
    expect(written).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name: 'Lale',
      url: 'https://lale.example/',
      logo: 'https://lale.example/icon-512.png',
      address: '1 Street, Town',
      contactPoint: {
        '@type': 'ContactPoint',
        contactType: 'customer support',
        email: 'support@operator.example',
      },
    });
  });

  it('numbers the steps of a way', () => {
    const { itemListElement } = breadcrumbs([
      { name: 'Lale', address: 'https://lale.example/tr' },
      { name: 'SSS', address: 'https://lale.example/tr/faq' },
    ]);
    expect(itemListElement).toMatchObject([
      { position: 1, item: 'https://lale.example/tr' },
      { position: 2, name: 'SSS' },
    ]);
  });

  it('contains questions and answers without direction marks', () => {
    const article: Article = {
      title: 'Questions',
      lead: [],
      sections: [
        {
          id: 'section-1',
          title: 'How long?',
          blocks: [
            { kind: 'paragraph', children: [{ kind: 'text', text: '\u20662–3\u2069 days.' }] },
            {
              kind: 'list',
              ordered: false,
              items: [[{ kind: 'strong', children: [{ kind: 'text', text: 'Soon' }] }]],
            },
          ],
        },
      ],
    };
    expect(questions(article, 'en')['mainEntity']).toEqual([
      {
        '@type': 'Question',
        name: 'How long?',
        acceptedAnswer: { '@type': 'Answer', text: '2–3 days. Soon' },
      },
    ]);
  });

  it('cannot end the element it stands in', () => {
    const written = inScript(breadcrumbs([{ name: '</script><script>', address: '' }]));
    expect(written).not.toContain('<');
    expect(JSON.parse(written).itemListElement[0].name).toBe('</script><script>');
  });
});
