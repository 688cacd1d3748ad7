import {
  Fragment,
  useState,
  type ReactNode,
  type MouseEvent,
  useEffect,
  useEffectEvent,
} from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { phoneCodesByLanguage } from '~/features/application/read-phone.server.ts';
import { phoneCountryName } from '~/features/application/phone-codes.ts';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { NameQuestions, PhoneQuestion } from '~/features/form/page/person-questions.tsx';
import { Question } from '~/features/form/page/question.tsx';
import { formHandle } from '~/ui/answers-form.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FormGroup } from '~/ui/layout.tsx';
import { AgeNotice } from './parts/age-notice.tsx';
import { NameLines } from './parts/name-lines.tsx';
import { LINES, parseZone, READ_LINES, writeZone, zoneFields } from './passport-reader/zone.ts';
import { previewPromise } from './rules/ready-by.ts';
import { questionByField, type VisaField, type QuestionGroup } from './rules/questions.ts';
import { stepById } from './rules/steps.ts';
import type { StepAnswer } from './parts/step-view.ts';
import { handleStepSubmit, openStep, stepView } from './wizard/wizard.server.ts';
import { UNNAMED, NATIONALITY_CONFIRMED, ZONE } from './rules/typed.ts';
import { useStepForm, type StepForm } from './parts/use-step-form.tsx';
import { useServerClock } from '~/ui/use-now.tsx';
import { parentsOffered } from './wizard/parents-offered.server.ts';
import { WizardPage } from './parts/wizard-page.tsx';
import type { Route } from './+types/details.ts';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import { Notice } from '~/ui/notice.tsx';
import { isolated } from '~/base/isolated.ts';
import {
  differentZoneCountry,
  zoneConfirmation,
  zoneCountry,
  zoneDifferences,
  type ZoneAnswers,
} from './passport-reader/differences.ts';
import { useZoneValue, CutOut, ZoneSummary } from './passport-reader/zone-summary.tsx';
import type { Translate } from '~/base/read-text.ts';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { leaveToBrowser } from '~/ui/page/form.tsx';
import { dropReading, keptReading } from './passport-reader/kept-reading.ts';
import { usePassportPhoto, PhotoNotice } from './passport-reader/use-passport-photo.tsx';
import type { PhotoReading } from './passport-reader/read-in-browser.ts';
import type { ReadLines } from './passport-reader/read-lines.ts';
import type { RefusedLines } from './passport-reader/sent-lines.ts';
import type { UnsureLines } from './passport-reader/read-picture-lines.ts';

/** The parser is loaded when somebody first has lines read. */
const fetchReader = () => import('./passport-reader/read-in-browser.ts');

/** Why lines were not read, and what to do. Where one check digit fails beside the composite one, it names its part. */
function linesMessage(t: Translate, refusal: Extract<ReadLines, { ok: false }>): string {
  if (refusal.error !== 'check_digit') return t(`visa:reader.errors.${refusal.error}`);
  const [part, ...others] = refusal.parts.filter((one) => one !== 'composite');
  return part && others.length === 0
    ? t('visa:reader.errors.check_digit_in', { field: t(`visa:labels.${part}`) })
    : t('visa:reader.errors.check_digit');
}

/**
 * Fills the form in from the machine-readable lines of a passport or identity card. Without scripts the server reads them;
 * with scripts they are read here, and only what the form asks is sent. What was read on the first page is filled in at
 * once: this device sends it with Next.
 */
function PassportReader({
  form,
  now,
  traveller,
  refused,
  typed = refused?.text ?? '',
  onRead: onReadHere,
}: {
  form: StepForm;
  now: Date;
  /** The position in a party. */
  traveller: number;
  /** What the server could not read. */
  refused: RefusedLines | undefined;
  /** The lines as typed in a page that was refused. */
  typed?: string;
  /** Lines were read in the browser: what the server said of them is over. */
  onRead: () => void;
}) {
  const { t } = useTranslation('visa');
  const [read, setRead] = useState<ReadLines | PhotoReading | null>(refused?.refusal ?? null);
  const refusal = read && !read.ok && !('cutOut' in read) ? read : null;
  const problem = read && !read.ok && 'cutOut' in read ? read : null;
  const cutOut = read && 'cutOut' in read ? read.cutOut : null;
  // A hidden control is not the browser's own as others are: drawn again, it would hold what it began with.
  const [written, setWritten] = useState(form.start[ZONE] ?? '');
  const zone = parseZone(written);

  function show(reading: ReadLines | PhotoReading) {
    setRead(reading);
    if (reading.ok) setWritten(writeZone(reading.zone));
    onReadHere();
  }

  function showChanged(reading: ReadLines | PhotoReading) {
    show(reading);
    form.refresh();
  }

  function onRead(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    const button = event.currentTarget;
    const { form: element } = button;
    if (!element) return;
    fetchReader().then(
      ({ fillFromLines }) => showChanged(fillFromLines(element, now)),
      () => leaveToBrowser(element, button),
    );
  }

  const photo = usePassportPhoto({
    now,
    typeAt: 'lastName',
    onRead: (reading) => void onPhoto(reading),
  });

  async function onPhoto(reading: PhotoReading) {
    const { current: element } = form.element;
    if (!element) return;
    // The same file has read the photo; where it is lost, that is what `reading` says.
    if (reading.ok || reading.error === 'unsure')
      (await fetchReader()).fillFromPhoto(element, reading);
    showChanged(reading);
  }

  const showKept = useEffectEvent(async () => {
    const { current: element } = form.element;
    const kept = keptReading(traveller);
    const zoneKept = parseZone(kept);
    if (!element || !zoneKept) return;
    if (written !== '' || zoneFields.some((field) => form.answers[field])) return dropReading();
    if (differentZoneCountry(kept, form.answers.countryId ?? '') !== null) return;
    const filled = (await fetchReader()).fillFromReading(element, zoneKept);
    show({ ok: true, zone: zoneKept });
    form.holdBack(filled);
    element.addEventListener('submit', dropReading);
  });
  useEffect(() => void showKept().catch(() => undefined), []);

  return (
    <>
      {/* Enter in a field presses the form's first button. That one goes on, and the button below is another. */}
      <input
        aria-hidden="true"
        className="sr-only"
        name="intent"
        tabIndex={-1}
        type="submit"
        value="next"
      />
      <input name={ZONE} type="hidden" value={written} />
      <div className="grid gap-3 rounded-card border border-line-2 bg-paper p-5 noscript:hidden">
        <div className="grid gap-3 wide:flex wide:flex-wrap">
          <Button
            busy={photo.isReading}
            className={photo.hasCamera ? undefined : 'not-pointer-coarse:hidden'}
            onClick={() => void photo.take()}
            type="button"
          >
            {t('reader.take')}
          </Button>
          <Button busy={photo.isReading} look="secondary" onClick={photo.choose} type="button">
            {t('reader.choose')}
          </Button>
          <ButtonAnchor href="#lastName" look="plain">
            {t('reader.type')}
          </ButtonAnchor>
        </div>
        <p className="text-small text-ink-2" role="status">
          {photo.isReading ? t('reader.reading') : t('reader.private')}
        </p>
        {photo.controls}
      </div>
      {problem ? (
        <PhotoNotice canCorrect problem={problem}>
          <CutOut address={cutOut} />
          {problem.error === 'unsure' ? <DoubtfulLines lines={problem} /> : null}
        </PhotoNotice>
      ) : null}
      <details
        className="save-later"
        open={refused !== undefined || typed !== '' || problem?.error === 'unsure'}
      >
        <summary className="min-h-11 cursor-pointer py-2.5 text-ink underline underline-offset-4">
          {t('reader.summary')}
        </summary>
        <div className="mt-2 grid gap-5 justify-items-start">
          <p className="text-small text-ink-2">{t('reader.where')}</p>
          <TextArea
            autoCapitalize="characters"
            autoComplete="off"
            autoCorrect="off"
            className="w-full"
            defaultValue={typed}
            error={refusal ? linesMessage(t, refusal) : undefined}
            hint={t('reader.linesHint')}
            label={t('reader.lines')}
            latin
            mono
            name={LINES}
            rows={4}
            spellCheck={false}
            wrap="off"
          />
          <Button look="secondary" name="intent" onClick={onRead} small value={READ_LINES}>
            {t('reader.read')}
          </Button>
        </div>
      </details>
      <div role="status">
        {zone && !refusal && !problem ? <ZoneSummary cutOut={cutOut} zone={zone} /> : null}
      </div>
    </>
  );
}

/** The lines as a photo shows them, with the characters marked that have to be compared with the document. */
function DoubtfulLines({ lines: { text, doubts } }: { lines: UnsureLines }) {
  const { t } = useTranslation('visa');
  if (doubts.length === 0) return null;
  const lines = text.split('\n');
  const isDoubtful = (line: number, place: number): boolean =>
    doubts.some((doubt) => doubt.line === line && doubt.place === place);
  return (
    <>
      <p className="mt-2">{t('reader.photo.marked')}</p>
      <div aria-hidden="true" className="my-2 w-fit font-mono break-all" dir="ltr">
        {lines.map((line, index) => (
          <p key={index}>
            {line.split('').map((sign, at) =>
              isDoubtful(index + 1, at + 1) ? (
                <mark className="bg-amber-notice text-amber-ground" key={at}>
                  {sign}
                </mark>
              ) : (
                sign
              ),
            )}
          </p>
        ))}
      </div>
      <ul className="columns-[11rem] ps-5 list-disc">
        {doubts.map(({ line, place }) => (
          <li key={`${line} ${place}`}>
            {t('reader.photo.place', { line, place })}{' '}
            <bdi className="font-mono" dir="ltr">
              {lines[line - 1]?.charAt(place - 1)}
            </bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

export const handle = { ...formHandle, usesCamera: true };
export async function loader(args: Route.LoaderArgs) {
  const opened = await openStep('details', args);
  return {
    view: stepView('details', opened),
    parents: await parentsOffered(opened),
    phoneCodes: phoneCodesByLanguage(opened.language),
  };
}
export const action = (args: Route.ActionArgs) => handleStepSubmit('details', args);

/** By CSS, so also without scripts. */
const unlessUnnamed = 'group-has-[[type=checkbox]:checked]/parent:hidden';

/** The name of a parent, or a box that no document names one. */
function Parent({
  field,
  form,
  suggestions,
}: {
  field: keyof typeof UNNAMED;
  form: StepForm;
  suggestions: readonly string[];
}) {
  const { t } = useTranslation('visa');
  return (
    <div className="group/parent grid gap-3">
      <div className={unlessUnnamed}>
        <Question field={field} form={form} suggestions={suggestions} />
      </div>
      <CheckBox
        defaultChecked={form.start[UNNAMED[field]] === 'yes'}
        label={t(`details.${UNNAMED[field]}`)}
        name={UNNAMED[field]}
      />
    </div>
  );
}

function DetailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['visa', 'catalog']);
  const { view, parents, phoneCodes } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const [isReadHere, setReadHere] = useState(false);
  const { lines, beside } = answer ?? {};
  const linesProblem =
    lines && !isReadHere ? [{ name: LINES, message: linesMessage(t, lines.refusal) }] : [];
  /** The questions that have more than their label and control. */
  const special: Readonly<Partial<Record<VisaField, ReactNode>>> = {
    lastName: (
      <NameLines form={step}>
        <NameQuestions form={step} />
      </NameLines>
    ),
    // Among them.
    firstName: null,
    dateOfBirth: (
      <>
        <Question field="dateOfBirth" form={step} />
        <AgeNotice answers={step.answers} country={view.country} />
      </>
    ),
    passportExpiryDate: (
      <Question
        field="passportExpiryDate"
        form={step}
        hint={t('details.expiryHint', limitsInTexts)}
      />
    ),
    motherName: <Parent field="motherName" form={step} suggestions={parents} />,
    fatherName: <Parent field="fatherName" form={step} suggestions={parents} />,
    phone: <PhoneQuestion codes={phoneCodes} form={step} nationality={view.country?.code} />,
    address: <Question field="address" form={step} hint={t('details.addressHint')} />,
  };
  const questionsIn = (group: QuestionGroup) =>
    stepById('details')
      .fields.filter((field) => questionByField(field).group === group)
      .map((field) => (
        <Fragment key={field}>
          {field in special ? special[field] : <Question field={field} form={step} />}
        </Fragment>
      ));
  return (
    <WizardPage
      answer={answer}
      lead={t('details.lead')}
      now={now}
      readyBy={previewPromise(step.answers, step.country, now, view.office)}
      step={{ ...step, summary: [...linesProblem, ...step.summary] }}
      title={t('details.title')}
      view={view}
    >
      <FormGroup title={t('details.passport')}>
        <PassportReader
          form={step}
          now={now}
          onRead={() => setReadHere(true)}
          refused={lines}
          traveller={view.party?.position ?? 1}
          typed={beside?.[LINES]}
        />
        {questionsIn('passport')}
        <ZoneDifferences
          answers={step.answers}
          country={view.country}
          nameOf={(code) => phoneCountryName(phoneCodes, code)}
          typed={step.typed}
        />
      </FormGroup>
      <FormGroup hint={t('details.parentsHint')} title={t('details.parents')}>
        {questionsIn('parents')}
      </FormGroup>
      <FormGroup hint={t('details.contactHint')} title={t('details.contact')}>
        {questionsIn('contact')}
      </FormGroup>
    </WizardPage>
  );
}

export { DetailsPage as default };

/** What was typed otherwise than the passport's lines have it. It may be right: this warns and lets go on. */
function ZoneDifferences({
  answers,
  country,
  typed,
  nameOf,
}: {
  answers: ZoneAnswers;
  /** The chosen nationality, by its name. */
  country: { name: string } | null;
  typed: TypedAnswers;
  /** The name of a country by its code; null where it is not known. */
  nameOf: (code: string) => string | null;
}) {
  const { t } = useTranslation('visa');
  const valueOf = useZoneValue();
  const zone = parseZone(typed[ZONE]);
  const differing = zone ? zoneDifferences(zone, answers) : [];
  if (!zone || differing.length === 0) return null;
  const { nationality } = zone;
  const confirmation = zoneConfirmation(zone, answers.countryId ?? '');
  return (
    <Notice role="status" title={t('reader.differs')} tone="amber">
      <ul>
        {differing.map((field) => (
          <li key={field}>
            {field === 'countryId'
              ? t('reader.otherNationality', {
                  passport: nameOf(zoneCountry(zone)) ?? isolated(nationality),
                  country: country?.name ?? '',
                })
              : t('reader.value', { label: t(`labels.${field}`), value: valueOf(zone, field) })}
          </li>
        ))}
      </ul>
      <p className="mt-2">{t('reader.differsText')}</p>
      {differing.includes('countryId') ? (
        <CheckBox
          className="mt-3"
          defaultChecked={typed[NATIONALITY_CONFIRMED] === confirmation}
          key={confirmation}
          label={t('reader.confirmNationality', { country: country?.name ?? '' })}
          name={NATIONALITY_CONFIRMED}
          value={confirmation}
        />
      ) : null}
    </Notice>
  );
}
