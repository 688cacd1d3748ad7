import { data, redirect } from 'react-router';
import { choose } from '~/base/default-choice.ts';
import type { Language } from '~/base/languages.ts';
import { ok, type Outcome } from '~/base/outcome.ts';
import {
  findChangeable,
  type Changeable,
  type ChangeRefusal,
} from '~/features/application/reopened.server.ts';
import type { FormName, TypedAnswers } from '~/features/form/answers/controls.ts';
import { formStarts, type DraftForm } from '~/features/form/draft/draft-content.ts';
import {
  wouldReplaceDraft,
  noDraftCookie,
  openDraft,
  reopenDraft,
} from '~/features/form/draft/draft.server.ts';
import { daysTyped } from '~/features/insurance/rules/typed.ts';
import { selectPlan } from '~/features/insurance/rules/plans.ts';
import * as insuranceTyped from '~/features/insurance/rules/typed.ts';
import { insuranceDrafts } from '~/features/insurance/store/draft.server.ts';
import { plansOnSale } from '~/features/insurance/store/plan-store.server.ts';
import {
  readInsuranceDetails,
  storedAnswers as storedInsurance,
} from '~/features/insurance/store/store.server.ts';
import { askBeforeChange } from '~/features/order/payer/change-order.server.ts';
import { paymentsContext, type Payments } from '~/features/payment/settlement/context.server.ts';
import { currentOffice } from '~/features/settings/office.server.ts';
import { currentOperator } from '~/features/settings/operator.server.ts';
import { writeZone } from '~/features/visa/passport-reader/zone.ts';
import { pricePath } from '~/features/visa/rules/answers.ts';
import * as visaTyped from '~/features/visa/rules/typed.ts';
import { storedAnswers as storedVisa } from '~/features/visa/store/answer-columns.ts';
import { visaDrafts } from '~/features/visa/store/draft.server.ts';
import { visaPrices, readVisaDetails } from '~/features/visa/store/store.server.ts';
import { suitableSpeeds } from '~/features/visa/wizard/speed-choice.ts';
import { chosenCountry } from '~/features/visa/wizard/wizard.server.ts';
import { cookieHeader, type SetCookie } from '~/platform/http/cookies.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { Card } from '~/ui/card.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { FormActions, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Form } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Route } from './+types/change.ts';

/** A form in which an unpaid application can be opened again. */
type FormToChange = {
  form: DraftForm;
  /** Where the form begins once it is open. */
  opensAt: string;
  /** The controls that give a stored application's answers. */
  typedOf: (platform: Platform, found: Changeable, language: Language) => Promise<TypedAnswers>;
};

const changedForms: Readonly<Record<FormName, FormToChange>> = {
  visa: {
    form: visaDrafts,
    opensAt: '/application/review',
    async typedOf(platform, { application }, language) {
      const details = await readVisaDetails(platform.db, platform.sealer, application.id);
      if (!details) throw new Error('A visa application has no answers');
      const { zone } = details;
      const answers = storedVisa(application, details);
      const typed = {
        ...visaTyped.typedVisaAnswers(answers),
        ...(zone && { [visaTyped.ZONE]: writeZone(zone) }),
      };
      const country = await chosenCountry(platform, application.countryCode, language);
      const path = pricePath(country, answers);
      if (!path) return typed;
      // Whether the traveller or the form chose the speed is not stored: one that the form would not choose counts as
      // the traveller's.
      const suitable = suitableSpeeds(typed, {
        path,
        prices: await visaPrices(platform),
        office: await currentOffice(platform),
        now: platform.now(),
      });
      const { selected } = choose({ wish: '', selected: '' }, suitable);
      const wish = selected === application.service ? '' : application.service;
      return { ...typed, [visaTyped.WISH]: wish };
    },
  },
  insurance: {
    form: insuranceDrafts,
    opensAt: '/insurance',
    async typedOf({ db, sealer, now }, { application }) {
      const details = await readInsuranceDetails(db, sealer, application.id);
      if (!details) throw new Error('An insurance has no answers');
      const typed = insuranceTyped.typedInsuranceAnswers(storedInsurance({ application, details }));
      const sold = await plansOnSale(db, now());
      // The plan as the speed above.
      const { chosen } = selectPlan(sold, daysTyped(typed), { wish: '', selected: '' });
      const wish = chosen?.id === application.service ? '' : application.service;
      const { PLAN_SHOWN, PLAN_WISH } = insuranceTyped;
      return { ...typed, [PLAN_SHOWN]: application.service, [PLAN_WISH]: wish };
    },
  },
};

/** One page, below the start of either form. */
const formIn = (url: URL): FormToChange =>
  changedForms[url.pathname.includes(`${formStarts.insurance}/`) ? 'insurance' : 'visa'];

type Args = Pick<Route.LoaderArgs, 'request' | 'context'>;

const headers = { 'Cache-Control': 'no-store' };
const refIn = (url: URL): string => (url.searchParams.get('ref') ?? '').slice(0, 40);

/** Asks whether an application is to be opened again, or says why it cannot be. */
export async function loader({ request, context }: Args) {
  const platform = context.get(platformContext);
  const url = new URL(request.url);
  const { form } = formIn(url);
  const ref = refIn(url);
  const { supportEmail } = await currentOperator(platform);
  const found = await findChangeable(platform, request, ref, form.name);
  // The order, or its traveller, may have insurances alone.
  const insured =
    !found.ok && form.name === 'visa'
      ? await findChangeable(platform, request, ref, 'insurance')
      : found;
  if (!found.ok && insured.ok) {
    throw redirect(`/insurance/change?ref=${insured.value.application.number}`);
  }
  if (!found.ok) {
    const why = found.error;
    const status = why === 'unknown' ? 404 : why === 'not_payer' ? 403 : 409;
    return data({ kind: 'refused', why, ref, supportEmail } as const, {
      status,
      headers,
    });
  }
  const { number } = found.value.application;
  // Whether a draft of another application in this browser would be replaced.
  const loses = wouldReplaceDraft(await openDraft(form, platform, request), number);
  return data({ kind: 'asked', form: form.name, number, loses } as const, { headers });
}

/** Opens it, or goes back to its status page. */
export async function action({ request, context }: Args) {
  const platform = context.get(platformContext);
  const url = new URL(request.url);
  const toChange = formIn(url);
  const { form, opensAt } = toChange;
  const ref = refIn(url);
  const place = encodeURIComponent(ref);
  const sent = await readForm({ request, context });
  const goTo = (path: string, setCookie: SetCookie | null) =>
    redirect(path, { status: 303, headers: setCookie ? cookieHeader(setCookie) : {} });
  if (sent.get('intent') === 'leave') {
    const draft = await openDraft(form, platform, request);
    return goTo(`/status?ref=${place}`, draft?.changing ? noDraftCookie(form, platform) : null);
  }
  const asked = { request, ref, language: context.get(languageContext) };
  const opened = await openChange(toChange, platform, context.get(paymentsContext), asked);
  return opened.ok
    ? goTo(opensAt, opened.value)
    : goTo(`${formStarts[form.name]}/change?ref=${place}`, null);
}

/**
 * Opens an unpaid application again in its form, with all its answers; what is stored stays until they are submitted.
 * Returns the cookie to set, or null where the browser has the draft already.
 */
async function openChange(
  { form, typedOf }: FormToChange,
  platform: Platform,
  payments: Payments,
  { request, ref, language }: { request: Request; ref: string; language: Language },
): Promise<Outcome<SetCookie | null, ChangeRefusal>> {
  const asked = await findChangeable(platform, request, ref, form.name);
  if (!asked.ok) return asked;
  await askBeforeChange(platform, payments, asked.value.order.number);
  const found = await findChangeable(platform, request, ref, form.name);
  if (!found.ok) return found;
  const { number } = found.value.application;
  const draft = await openDraft(form, platform, request);
  // Opened before: keep what has been changed since.
  if (draft?.changing === number) return ok(null);
  const typed = await typedOf(platform, found.value, language);
  const reopened = { applicationNumber: number, typed, language };
  return ok(
    await platform.db.transaction((tx) => reopenDraft(tx, form, platform, draft, reopened)),
  );
}

function ChangePage({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation('change');
  return (
    <NarrowPage>
      <title>{`${t('title')} · Lale`}</title>
      <meta content="noindex" name="robots" />
      {view.kind === 'asked' ? <Asked {...view} /> : <Refused {...view} />}
    </NarrowPage>
  );
}

export { ChangePage as default };

function Asked({ form, number, loses }: { form: FormName; number: string; loses: boolean }) {
  const { t } = useTranslation(['change', 'visa']);
  return (
    <>
      <PageHead lead={t('lead')} title={t('title')} />
      <Card>
        <p className="text-small text-ink-2">{t('visa:submitted.number')}</p>
        <p>
          <NumberCode size="display" testId="application-number" value={number} />
        </p>
      </Card>
      <p className="mt-6">{t(`price.${form}`)}</p>
      {loses ? (
        <Notice className="mt-6" tone="amber">
          {t('loses')}
        </Notice>
      ) : null}
      <Form method="post">
        <FormActions>
          <Button name="intent" type="submit" value="change">
            {t('button')}
          </Button>
          <ButtonLink look="plain" to={`/status?ref=${number}`}>
            {t('leave')}
          </ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function Refused({
  why,
  ref,
  supportEmail,
}: {
  why: ChangeRefusal;
  ref: string;
  supportEmail: string;
}) {
  const { t } = useTranslation(['change', 'visa']);
  return (
    <>
      <PageHead lead={t(`refused.${why}`)} title={t('refused.title')} />
      <p>{t('support', { email: supportEmail })}</p>
      <div className="form-actions">
        <ButtonLink look="secondary" to={why === 'unknown' ? '/status' : `/status?ref=${ref}`}>
          {t('visa:submitted.status')}
        </ButtonLink>
      </div>
    </>
  );
}
