import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { CoverTable } from '~/features/application/cover-table.tsx';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { coverView } from './store/store.server.ts';
import { termsInForce, termsByVersion } from './store/plan-store.server.ts';
import { translatedText } from './rules/terms.ts';
import type { Route } from './+types/terms.ts';

export const handle = { scriptFree: true };

/** One version of the insurer's terms, available for good to those who bought on it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(platformContext);
  const language = context.get(languageContext);
  if (params.version === undefined) {
    const sold = await termsInForce(db, now());
    if (sold) throw redirect(`/insurance/terms/${sold.version}`);
    return data({ terms: null }, { status: 404 });
  }
  const version = /^\d{1,9}$/.test(params.version) ? Number(params.version) : 0;
  const terms = await termsByVersion(db, version);
  if (!terms) return data({ terms: null }, { status: 404 });
  const text = terms.wording ? translatedText(terms.wording, language) : '';
  return {
    terms: {
      version,
      cover: coverView(terms, language),
      paragraphs: text.split(/\n\s*\n/).filter((one) => one.trim() !== ''),
      isTranslated: terms.wording?.[language] !== undefined,
    },
  };
}

function TermsPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('insurance');
  const { terms } = loaderData;
  return (
    <NarrowPage>
      <title>{`${t('terms.pageTitle')} · Lale`}</title>
      {terms ? (
        <>
          <PageHead
            lead={t('terms.version', { version: String(terms.version) })}
            title={t('terms.pageTitle')}
          />
          <CoverTable cover={terms.cover} isLinked={false} />
          <section
            className="form-group grid gap-4"
            {...(terms.isTranslated ? {} : { lang: 'en', dir: 'ltr' })}
          >
            {terms.paragraphs.map((paragraph, index) => (
              <p className="whitespace-pre-line" key={index}>
                {paragraph}
              </p>
            ))}
          </section>
        </>
      ) : (
        <>
          <PageHead title={t('terms.pageTitle')} />
          <Notice title={t('none.title')} tone="amber">
            <p>{t('terms.unknown')}</p>
          </Notice>
        </>
      )}
    </NarrowPage>
  );
}

export { TermsPage as default };
