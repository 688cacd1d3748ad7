import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { PathLink, PathList } from '../path-links.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { labPages, type LabKey, type LabPath } from './variants.ts';

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
