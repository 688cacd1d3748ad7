import { useState, type MouseEvent, type RefObject, useRef, type ChangeEvent } from 'react';
import type { Translate } from '~/base/read-text.ts';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { leaveToBrowser } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { ZONE } from '../rules/typed.ts';
import type { PhotoProblem, ReadInBrowser } from './read-in-browser.ts';
import type { ReadLines } from './read-lines.ts';
import type { RefusedLines } from './sent-lines.ts';
import { LINES, parseZone, READ_LINES, writeZone } from './zone.ts';
import { CutOut, ZoneSummary } from './zone-summary.tsx';
import type { UnsureLines } from './read-picture-lines.ts';

/** The parser is loaded when somebody first has lines read. */
const fetchReader = () => import('./read-in-browser.ts');

function titleOf(t: Translate, problem: PhotoProblem): string {
  const isClear = problem.error === 'unsure' && problem.doubts.length === 0;
  return t(
    isClear ? 'visa:reader.photo.unsure.misread' : `visa:reader.photo.${problem.error}.title`,
  );
}

/** Why lines were not read, and what to do. Where one check digit fails beside the composite one, it names its part. */
export function linesMessage(t: Translate, refusal: Extract<ReadLines, { ok: false }>): string {
  if (refusal.error !== 'check_digit') return t(`visa:reader.errors.${refusal.error}`);
  const [part, ...others] = refusal.parts.filter((one) => one !== 'composite');
  return part && others.length === 0
    ? t('visa:reader.errors.check_digit_in', { field: t(`visa:labels.${part}`) })
    : t('visa:reader.errors.check_digit');
}

type ReaderForm = {
  start: TypedAnswers;
  element: RefObject<HTMLFormElement | null>;
  /** Tells the form that controls have been set. */
  refresh: () => void;
};

/**
 * Fills the form in from the machine-readable lines of a passport or identity card. Without scripts the server reads them;
 * with scripts they are read here, and only what the form asks is sent.
 */
export function PassportReader({
  form,
  now,
  refused,
  typed = refused?.text ?? '',
  onRead: onReadHere,
}: {
  form: ReaderForm;
  now: Date;
  /** What the server could not read. */
  refused: RefusedLines | undefined;
  /** The lines as typed in a page that was refused. */
  typed?: string;
  /** Lines were read in the browser: what the server said of them is over. */
  onRead: () => void;
}) {
  const { t } = useTranslation('visa');
  const [refusal, setRefusal] = useState(refused?.refusal ?? null);
  // A hidden control is not the browser's own as others are: drawn again, it would hold what it began with.
  const [written, setWritten] = useState(form.start[ZONE] ?? '');
  const zone = parseZone(written);

  const [problem, setProblem] = useState<PhotoProblem | null>(null);
  const [cutOut, setCutOut] = useState<string | null>(null);

  function show(read: ReadInBrowser) {
    setRefusal('refusal' in read ? read.refusal : null);
    setProblem('photo' in read ? read.photo : null);
    setCutOut(read.cutOut ?? null);
    if (read.ok) setWritten(writeZone(read.zone));
    onReadHere();
    form.refresh();
  }

  function onRead(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    const button = event.currentTarget;
    const { form: element } = button;
    if (!element) return;
    fetchReader().then(
      ({ fillFromLines }) => show(fillFromLines(element, now)),
      () => leaveToBrowser(element, button),
    );
  }

  async function onPhoto(photo: File) {
    const { current: element } = form.element;
    if (!element) return;
    setProblem(null);
    setCutOut(null);
    try {
      show(await (await fetchReader()).fillFromPhoto(element, photo, now));
    } catch {
      setProblem({ error: 'not_read' });
    }
  }

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
      <PhotoButtons read={onPhoto} />
      {problem ? (
        <Notice role="status" title={titleOf(t, problem)} tone="amber">
          <p>{t(`visa:reader.photo.${problem.error}.text`)}</p>
          <CutOut address={cutOut} />
          {problem.error === 'unsure' ? <DoubtfulLines lines={problem} /> : null}
        </Notice>
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

/** Takes a photo, or one from the device. Its control has no name: a form sends nothing of it. */
function PhotoButtons({ read }: { read: (photo: File) => Promise<void> }) {
  const { t } = useTranslation('visa');
  const [isReading, setIsReading] = useState(false);
  const camera = useRef<HTMLInputElement>(null);
  const album = useRef<HTMLInputElement>(null);

  function onChosen({ target }: ChangeEvent<HTMLInputElement>) {
    const [photo] = target.files ?? [];
    // The same photo can be chosen again.
    target.value = '';
    if (!photo) return;
    setIsReading(true);
    void read(photo).finally(() => setIsReading(false));
  }

  return (
    <div className="reader-card grid gap-3 rounded-card border border-line-2 bg-paper p-5 noscript:hidden">
      <div className="grid gap-3 wide:flex wide:flex-wrap">
        <Button
          busy={isReading}
          className="not-pointer-coarse:hidden"
          onClick={() => camera.current?.click()}
          type="button"
        >
          {t('reader.photo.take')}
        </Button>
        <Button
          busy={isReading}
          look="secondary"
          onClick={() => album.current?.click()}
          type="button"
        >
          {t('reader.photo.choose')}
        </Button>
      </div>
      <p className="text-small text-ink-2" role="status">
        {isReading ? t('reader.photo.reading') : t('reader.photo.private')}
      </p>
      <input
        accept="image/*"
        aria-label={t('reader.photo.take')}
        capture="environment"
        hidden
        onChange={onChosen}
        ref={camera}
        type="file"
      />
      <input
        accept="image/*"
        aria-label={t('reader.photo.choose')}
        hidden
        onChange={onChosen}
        ref={album}
        type="file"
      />
    </div>
  );
}
