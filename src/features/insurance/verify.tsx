import { data } from 'react-router';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { toPlainDate, parseDate, TURKIYE, type PlainDate } from '~/base/dates/dates.ts';
import { addressContext, platformContext, PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import { Card } from '~/ui/card.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { photoLimits } from './purchase/photo-upload.server.ts';
import { certificateWithCode } from './store/store.server.ts';
import type { Route } from './+types/verify.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';

/** The result of checking a certificate's code. */
type Validity = 'valid' | 'not_yet' | 'expired' | 'cancelled' | 'unknown';

/** Valid on the first and last insured day and between. An insurance without approval has no certificate. */
export function validity(
  insurance: {
    status: ApplicationStatus;
    cancelledAt: Date | null;
    from: PlainDate;
    until: PlainDate;
  } | null,
  today: PlainDate,
): Validity {
  if (!insurance) return 'unknown';
  if (insurance.cancelledAt || insurance.status === 'rejected') return 'cancelled';
  if (insurance.status !== 'approved') return 'unknown';
  if (today < insurance.from) return 'not_yet';
  return today > insurance.until ? 'expired' : 'valid';
}

/** "S. H. R.": enough to compare with a document, too little to learn a name. */
export const initials = (firstName: string, lastName: string): string =>
  `${firstName} ${lastName}`
    .split(/[\s\p{Dash}]+/u)
    .flatMap((word) => /\p{L}/u.exec(word)?.[0] ?? [])
    .map((letter) => `${letter.toUpperCase()}.`)
    .join(' ');

export const handle = { scriptFree: true };

/** The answer depends on the day, and the address contains the code: no cache and no search engine may keep it. */
const pageHeaders = {
  ...PRIVATE_PAGE,
  'Referrer-Policy': 'no-referrer',
};

/**
 * Whether the certificate with this code is valid today in Türkiye, for anybody who scans it; shows initials and no
 * other personal data.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const { allowed, retryAfterSeconds } = await photoLimits(platform).verify.consume(
    context.get(addressContext),
  );
  if (!allowed) {
    const headers = { ...pageHeaders, 'Retry-After': String(retryAfterSeconds) };
    return data({ tooMany: retryAfterSeconds }, { status: 429, headers });
  }
  const found = await certificateWithCode(platform.db, params.code);
  const [from, until] = [parseDate(found?.from ?? ''), parseDate(found?.until ?? '')];
  const today = toPlainDate(platform.now(), TURKIYE);
  const state = validity(found && from && until ? { ...found, from, until } : null, today);
  const isKnown = found && state !== 'unknown';
  return data(
    { state, initials: isKnown ? initials(found.firstName, found.lastName) : null },
    { status: isKnown ? 200 : 404, headers: pageHeaders },
  );
}

const tones: Record<Validity, StatusTone> = {
  valid: 'green',
  not_yet: 'blue',
  expired: 'neutral',
  cancelled: 'red',
  unknown: 'neutral',
};

function VerifyPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('certificate');
  if ('tooMany' in loaderData) {
    return (
      <NarrowPage>
        <title>{`${t('verify.pageTitle')} · Lale`}</title>
        <PageHead
          lead={t('verify.tooMany', { count: loaderData.tooMany })}
          title={t('verify.pageTitle')}
        />
      </NarrowPage>
    );
  }
  const { state, initials: letters } = loaderData;
  return (
    <NarrowPage>
      <title>{`${t('verify.pageTitle')} · Lale`}</title>
      <PageHead lead={t(`verify.${state}.text`)} title={t(`verify.${state}.title`)}>
        <StatusTag testId="status" tone={tones[state]}>
          {t(`verify.${state}.tag`)}
        </StatusTag>
      </PageHead>
      {letters ? (
        <Card>
          <p className="text-small text-ink-2">{t('verify.initials')}</p>
          <p className="text-h2-form">
            <bdi dir="ltr">{letters}</bdi>
          </p>
        </Card>
      ) : null}
    </NarrowPage>
  );
}

export { VerifyPage as default };
