import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form } from 'react-router';
import { DeskPage } from '../frame/desk-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { deviceName } from '~/features/staff/known-device.server.ts';
import { renewStaff, requireSignedIn } from '~/features/staff/require.server.ts';
import {
  makeRecoveryCodes,
  beginEnrolment,
  completeEnrolment,
  resumeEnrolment,
} from '~/features/staff/second-factor.server.ts';
import { sessionCookie, requestSession } from '~/features/staff/session.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { CodeField } from '~/features/staff/code-field.tsx';
import { Button } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { qrPath } from '~/ui/qr-path.ts';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import type { Route } from './+types/second-factor.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireSignedIn({ request, context });
  const platform = context.get(platformContext);
  return {
    staff,
    enrolment: staff.hasSecondFactor ? null : beginEnrolment(platform, staff),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireSignedIn({ request, context });
  const platform = context.get(platformContext);
  const form = await readForm({ request, context });
  const sealed = formText(form, 'enrolment');
  const code = formText(form, 'code').slice(0, 40);
  const found = await requestSession(platform, request);
  const outcome = await completeEnrolment(platform, staff, {
    sealed,
    code,
    device: deviceName(request),
    opened: found?.session,
  });
  if (outcome.ok) {
    const codes = await makeRecoveryCodes(platform, staff.id);
    renewStaff(context, { ...staff, hasSecondFactor: true });
    const headers = cookieHeader(sessionCookie(platform, outcome.value));
    return data({ error: null, enrolment: null, codes }, { headers });
  }
  const enrolment = staff.hasSecondFactor ? null : resumeEnrolment(platform, staff, sealed);
  return data({ error: outcome.error.code, enrolment, codes: null }, { status: 422 });
}

export default function SecondFactorPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { staff } = loaderData;
  // After a wrong code the key stays the same, as it is in the app already.
  const enrolment = actionData?.enrolment ?? loaderData.enrolment;
  const isWrong = actionData?.error === 'wrong_code';
  return (
    <DeskPage>
      <div className="grid max-w-[560px] grid-cols-1 gap-4">
        <FormHead
          problems={isWrong ? [{ name: 'code', message: t('error.wrong_code') }] : []}
          title={`${t('secondFactor.pageTitle')} – Lale`}
        />
        <h1>{t('secondFactor.title')}</h1>
        {actionData?.codes ? <RecoveryCodes codes={actionData.codes} /> : null}
        {staff.hasSecondFactor || !enrolment ? (
          <p>{t('secondFactor.on')}</p>
        ) : (
          <>
            <p>{t('secondFactor.lead')}</p>
            <ol className="grid list-decimal gap-6 ps-5 [&_.button]:mt-4 [&_.field]:mt-2">
              <li>
                <p>{t('secondFactor.stepSecret')}</p>
                <p
                  className="mono my-2 rounded-field bg-turquoise-pale px-3 py-2.5 wrap-anywhere"
                  data-testid="totp-secret"
                  dir="ltr"
                >
                  {enrolment.secret}
                </p>
                <QrCode label={t('secondFactor.qr')} text={enrolment.uri} />
                <p>
                  <a href={enrolment.uri}>{t('secondFactor.open')}</a>
                </p>
              </li>
              <li>
                <p>{t('secondFactor.stepCode')}</p>
                <Form method="post">
                  <input name="enrolment" type="hidden" value={enrolment.sealed} />
                  <CodeField
                    error={isWrong ? t('error.wrong_code') : undefined}
                    label={t('signIn.code')}
                  />
                  <Button small>{t('secondFactor.submit')}</Button>
                </Form>
              </li>
            </ol>
          </>
        )}
      </div>
    </DeskPage>
  );
}

/** Squares of white round the code: a reader needs four (ISO/IEC 18004). */
const MARGIN = 4;

/** A QR code as a picture; black on white in every colour scheme, as cameras need it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = qrPath(text);
  const side = size + 2 * MARGIN;
  return (
    <svg
      aria-label={label}
      className="my-2 rounded-field border border-line-2"
      height={200}
      role="img"
      shapeRendering="crispEdges"
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      width={200}
    >
      <rect fill="#fff" height={side} width={side} x={-MARGIN} y={-MARGIN} />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** New recovery codes, shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('staff');
  return (
    <Notice role="status" title={t('recovery.title')} tone="green">
      <p>{t('recovery.text')}</p>
      <ul
        className="mono mt-3 grid grid-cols-[repeat(auto-fill,minmax(120px,1fr))] gap-x-4 gap-y-1.5"
        dir="ltr"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Notice>
  );
}
