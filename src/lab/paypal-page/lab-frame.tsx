import type { ComponentProps, ReactNode } from 'react';
import { toDecimal } from '~/base/money.ts';
import { ButtonAnchor } from '~/ui/button.tsx';
import { Card, type CardFact, Facts } from '~/ui/card.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { LAB_AMOUNT } from './paypal-calls.ts';
import { type LabKey, labPages, type LabPath } from './variants.ts';

/** The frame of every test page: its mark, heading, and links to all others. */
export function LabFrame({
  path,
  pageKey,
  children,
}: {
  path: LabPath;
  pageKey: LabKey;
  children: ReactNode;
}) {
  const { t } = useTranslation('lab');
  const title = t(`page.${pageKey}.title`);
  return (
    <NarrowPage>
      <title>{`${title} · ${path} · Lale`}</title>
      <meta content="noindex" name="robots" />
      <PageHead lead={t(`page.${pageKey}.lead`)} title={title}>
        <StatusTag icon="alert" tone="amber">
          {t('testPage')}
          <bdi className="mono" dir="ltr">
            {path}
          </bdi>
        </StatusTag>
      </PageHead>
      {children}
      <LabIndex current={path} />
    </NarrowPage>
  );
}

function LabIndex({ current }: { current: LabPath }) {
  const { t } = useTranslation('lab');
  return (
    <nav aria-labelledby="lab-pages" className="mt-18 border-t border-line-2 pt-10">
      <h2 className="text-h2-form" id="lab-pages">
        {t('index.title')}
      </h2>
      <p className="text-small mt-2 text-ink-2">{t('index.text')}</p>
      <PathList>
        {labPages.map(({ path, key }) => (
          <li key={path}>
            <LabLink current={path === current} path={path}>
              {t(`page.${key}.title`)}
            </LabLink>
          </li>
        ))}
      </PathList>
    </nav>
  );
}

function LabLink({
  path,
  current,
  children,
}: {
  path: string;
  current: boolean;
  children: ReactNode;
}) {
  const href = useHref(path);
  return (
    <PathLink aria-current={current ? 'page' : undefined} href={href} path={path}>
      {children}
    </PathLink>
  );
}

export function HomeLink() {
  const { t } = useTranslation('lab');
  const href = useHref('/');
  return (
    <div className="form-actions">
      <ButtonAnchor href={href} look="plain">
        {t('home')}
      </ButtonAnchor>
    </div>
  );
}

/** What is paid, on every page that pays, with the page's own facts. */
export function LabFacts({
  amount = toDecimal(LAB_AMOUNT),
  isLab = true,
  facts = [],
}: {
  /** Decimal, in USD. */
  amount?: string;
  /** Whether it is the fixed test payment, not an order that was named. */
  isLab?: boolean;
  facts?: readonly CardFact[];
}) {
  const { t } = useTranslation('lab');
  const shown = <bdi dir="ltr">{`${amount} USD`}</bdi>;
  return (
    <Card>
      <Facts
        facts={[
          { term: t('fact.amount'), value: shown, testId: 'total' },
          ...(isLab ? [{ term: t('fact.what'), value: t('insurance') }] : []),
          ...facts,
        ]}
        layout="rows"
      />
    </Card>
  );
}

/** A list of `PathLink`s. */
export const PathList = ({ children }: { children: ReactNode }) => (
  <ul className="mt-4 grid grid-cols-1 gap-x-8 *:border-b *:border-line wide:grid-cols-2">
    {children}
  </ul>
);

/** A page's name, linked, with its path beside it. */
export const PathLink = ({
  path,
  children,
  ...rest
}: { path: string } & Omit<ComponentProps<'a'>, 'className'>) => (
  <a
    {...rest}
    className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 gap-y-0.5 py-2 no-underline current:font-semibold current:text-ink"
  >
    <span className={rest['aria-current'] ? undefined : 'underline'}>{children}</span>
    <bdi className="mono text-[0.875rem] text-ink-2" dir="ltr">
      {path}
    </bdi>
  </a>
);

/** A raw response. */
export const Raw = ({ children }: { children: ReactNode }) => (
  <pre
    className="mt-4 rounded-field border border-line-2 bg-paper px-[18px] py-4 font-mono text-[0.875rem]/5.5 wrap-anywhere whitespace-pre-wrap"
    data-testid="raw"
    dir="ltr"
  >
    {children}
  </pre>
);
