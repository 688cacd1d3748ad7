import { useTranslation } from '~/ui/texts/texts.tsx';
import { FiguresTable } from '~/ui/figures-table.tsx';
import { Link } from '~/ui/page/link.tsx';

/** Insurance terms as a page shows them, in its language. */
export type CoverView = {
  /** The version under which the terms are stored; null where no insurance is sold. */
  version: number | null;
  insurer: string | null;
  address: string | null;
  licence: string | null;
  assistancePhone: string | null;
  complaintContact: string | null;
  lines: readonly { code: string; title: string; limit: string }[];
};

/** Where the terms of a version stand. */
export const termsPath = (version: number): string => `/insurance/terms/${version}`;

/** Opens one version of the insurer's terms beside what the traveller is doing. */
export function TermsLink({ version }: { version: number }) {
  const { t } = useTranslation('insurance');
  return (
    <Link className="inline-flex min-h-11 items-center" target="_blank" to={termsPath(version)}>
      {t('terms.link')}
    </Link>
  );
}

/** What is covered, up to which sums, by which insurer, with a link to that version of the terms. */
export function CoverTable({
  cover,
  title,
  isLinked = true,
  heading: Heading = 'h2',
}: {
  cover: CoverView;
  /** By default what every plan on sale covers. */
  title?: string;
  isLinked?: boolean;
  /** `h3` inside a part with a heading of its own. */
  heading?: 'h2' | 'h3';
}) {
  const { t } = useTranslation('insurance');
  const { insurer, address, licence, assistancePhone, complaintContact, version } = cover;
  const by = [insurer, address, licence].filter(Boolean).join(', ');
  return (
    <section className="form-group">
      <Heading className="text-h2-form">{title ?? t('terms.title')}</Heading>
      {by ? (
        <p className="mt-1.75 text-hint text-ink-2">{t('terms.insurer', { insurer: by })}</p>
      ) : null}
      <FiguresTable
        className="mt-4"
        columns={[
          { head: t('terms.cover'), render: (line) => line.title },
          { head: t('terms.limit'), render: (line) => line.limit, isFigure: true },
        ]}
        keyOf={({ code }) => code}
        rows={cover.lines}
      />
      {assistancePhone ? (
        <p className="mt-4">
          {t('terms.assistance')}{' '}
          <bdi className="whitespace-nowrap" dir="ltr">
            {assistancePhone}
          </bdi>
        </p>
      ) : null}
      {complaintContact ? (
        <p>
          {t('terms.complaints')} <bdi>{complaintContact}</bdi>
        </p>
      ) : null}
      {isLinked && version !== null ? (
        <p className="mt-4">
          <TermsLink version={version} />
        </p>
      ) : null}
    </section>
  );
}

/** The terms that insurances were bought on; renders nothing where there are none. */
export function BoughtCovers({
  covers,
  heading,
}: {
  covers: readonly CoverView[];
  heading?: 'h3';
}) {
  const { t } = useTranslation('insurance');
  return covers.map((cover) => (
    <CoverTable cover={cover} heading={heading} key={cover.version} title={t('terms.bought')} />
  ));
}
