import { Suspense, useEffect, useState } from 'react';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney } from '~/base/money.ts';
import { CountryField } from '~/features/catalog/picker/country-field.tsx';
import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';
import { eligibility, grantsEvisa } from '~/features/catalog/eligibility.ts';
import { TravelDocumentField } from '~/features/catalog/travel-document-field.tsx';
import { parseTravelDocument } from '~/features/catalog/regime.ts';
import { formHandle } from '~/ui/answers-form.ts';
import { Button } from '~/ui/button.tsx';
import { FormFields } from '~/ui/layout.tsx';
import { lazyPart } from '~/ui/page/lazy-part.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import { fromLines } from './wizard/country-lines.ts';
import { openNationality, handleNationalitySubmit } from './wizard/nationality.server.ts';
import { OfficialLink } from '~/ui/official-link.tsx';
import { dropReading } from './passport-reader/kept-reading.ts';
import { totalRange } from './rules/price-list.ts';
import { INSURE, type StepAnswer } from './parts/step-view.ts';
import { useStepForm } from './parts/use-step-form.tsx';
import { useServerClock } from '~/ui/use-now.tsx';
import { WizardPage } from './parts/wizard-page.tsx';
import type { Route } from './+types/nationality.ts';

/* Most visitors load scripts here first, so rarely needed parts are loaded later. */

/** Few nationalities need a consulate. */
const NoEvisaDialog = lazyPart(
  async () => (await import('./parts/no-evisa-dialog.tsx')).NoEvisaDialog,
  { needed: true },
);

/** Shown once a nationality is chosen. */
const EligibilityNotice = lazyPart(
  async () => (await import('./parts/eligibility-notice.tsx')).EligibilityNotice,
);

/** Few delete their cookies in the middle. */
const GoneNotice = lazyPart(
  async () => (await import('~/features/form/draft/gone-notice.tsx')).GoneNotice,
);

/** Few parties include somebody who needs no e-visa. */
const LeftOutNotice = lazyPart(
  async () => (await import('./parts/left-out-notice.tsx')).LeftOutNotice,
);

/** Loaded when somebody presses its button. */
const fetchPhoto = async () =>
  (await import('./passport-reader/nationality-photo.tsx')).NationalityPhoto;

export const handle = { ...formHandle, startTexts: true, usesCamera: true };

export const loader = (args: Route.LoaderArgs) => openNationality(args);
export const action = (args: Route.ActionArgs) => handleNationalitySubmit(args);

function NationalityPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t, language } = useTranslation(['visa', 'catalog']);
  const { view, countries, carried, isGroup, isGone, without } = loaderData;
  const { options, termsOf } = fromLines(countries);
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const termsFor = (typed: TypedAnswers) => termsOf(typed.countryId ?? '');
  const step = useStepForm(view, answer, now, termsFor);
  const [closed, setClosed] = useState<StepAnswer>();
  const [presses, setPresses] = useState(0);
  const [Photo, setPhoto] = useState<Awaited<ReturnType<typeof fetchPhoto>>>();
  const isNew = !view.typed.countryId;
  useEffect(() => {
    if (isNew) dropReading();
  }, [isNew]);

  function onPhoto() {
    setPresses(presses + 1);
    fetchPhoto().then(
      (loaded) => setPhoto(() => loaded),
      () => setPresses(0),
    );
  }

  const chosen = step.country;
  const documentType = step.typed.documentType || 'ordinary';
  const name = options.find(({ id }) => id === chosen?.code)?.name ?? '';
  const country = chosen && { ...chosen, name };
  const document = parseTravelDocument(documentType);
  const granted = chosen && document ? eligibility(chosen, document) : null;
  const isConsular = granted?.reason === 'consular_visa';
  const isRefused = granted !== null && !grantsEvisa(granted);
  const [isOfGroup, setIsOfGroup] = useState(isGroup ?? view.party !== null);
  const isDialogOpen = answer?.noEvisa && isConsular && closed !== answer;
  return (
    <WizardPage
      answer={answer}
      before={
        // The dialog contains a form, so it cannot be inside the step's.
        <>
          {isGone && !answer ? <GoneNotice form="visa" /> : null}
          {without ? <LeftOutNotice leftOut={without} /> : null}
          {isDialogOpen && country && !isOfGroup ? (
            <NoEvisaDialog country={country} onClose={() => setClosed(answer)} />
          ) : null}
        </>
      }
      country={country}
      lead={t('nationality.lead')}
      nextLabel={isRefused ? t(isOfGroup ? 'party.leaveOut' : 'nextInsurance') : undefined}
      besideNext={
        isRefused && isOfGroup ? (
          <Button look="secondary" name="intent" value={INSURE}>
            {t('party.insure')}
          </Button>
        ) : null
      }
      nextLook={isRefused && !isOfGroup ? 'secondary' : 'primary'}
      now={now}
      step={step}
      title={t('nationality.title')}
      view={view}
      withoutEvisa={isRefused}
    >
      <FormFields>
        {isGroup === null ? null : (
          <RadioList
            defaultValue={isGroup ? 'group' : 'me'}
            label={t('party.who')}
            name="party"
            onChange={(event) => setIsOfGroup(event.currentTarget.value === 'group')}
            options={[
              { value: 'me', label: t('party.me') },
              {
                value: 'group',
                label: t('party.group'),
                hint: t('party.groupHint', { number: MAX_TRAVELLERS }),
              },
            ]}
          />
        )}
        <div className="grid justify-items-start gap-3.5 noscript:hidden">
          <Button
            busy={presses > 0 && !Photo}
            icon="camera"
            look="plain"
            onClick={onPhoto}
            type="button"
          >
            {t('reader.fill')}
          </Button>
          {Photo ? (
            <Photo
              countries={options}
              key={presses}
              now={now}
              traveller={view.party?.position ?? 1}
            />
          ) : null}
        </div>
        <CountryField
          error={step.errorAt('countryId')}
          isRequired
          label={t('labels.countryId')}
          name="countryId"
          options={options}
          value={step.start.countryId}
          width="email"
        />
        <TravelDocumentField
          error={step.errorAt('documentType')}
          label={t('labels.documentType')}
          value={step.start.documentType}
        />
        {/* On the page from the start: a live region that is inserted with its text is not read. */}
        <div aria-live="polite" className="grid gap-3.5 empty:absolute">
          {country ? (
            <Suspense>
              <EligibilityNotice country={country} documentType={documentType} name={name} />
            </Suspense>
          ) : null}
        </div>
        {isRefused ? null : (
          <p className="text-small text-ink-2">
            <Trans
              components={{ official: <OfficialLink /> }}
              i18nKey="nationality.price"
              t={t}
              values={{
                amount: formatMoney(
                  totalRange(view.prices, step.path ?? undefined).lowest,
                  language,
                ),
              }}
            />
          </p>
        )}
      </FormFields>
      {country ? (
        <input name="noticed" readOnly type="hidden" value={`${country.code} ${documentType}`} />
      ) : null}
      {Object.entries(carried).map(([control, value]) => (
        <input key={control} name={control} type="hidden" value={value} />
      ))}
    </WizardPage>
  );
}

export { NationalityPage as default };
