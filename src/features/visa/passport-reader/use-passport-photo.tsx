import {
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ComponentType,
} from 'react';
import type { Translate } from '~/base/read-text.ts';
import { Notice } from '~/ui/notice.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { PhotoProblem, PhotoReading } from './read-in-browser.ts';
import type { PassportCamera } from './camera.tsx';

function titleOf(t: Translate, problem: PhotoProblem, canCorrect: boolean): string {
  const isClear = problem.error === 'unsure' && (!canCorrect || problem.doubts.length === 0);
  return t(
    isClear ? 'visa:reader.photo.unsure.misread' : `visa:reader.photo.${problem.error}.title`,
  );
}

/** Why a photo was not read, and what to do. `canCorrect`: lines that are not sure stand in a box of the page. */
export function PhotoNotice({
  problem,
  canCorrect = false,
  children,
}: {
  problem: PhotoProblem;
  canCorrect?: boolean;
  children?: ReactNode;
}) {
  const { t } = useTranslation('visa');
  useAllTexts(true);
  const advice = problem.error === 'unsure' && !canCorrect ? 'not_found' : problem.error;
  return (
    <Notice role="status" title={titleOf(t, problem, canCorrect)} tone="amber">
      <p>{t(`visa:reader.photo.${advice}.text`)}</p>
      {children}
    </Notice>
  );
}

/** Loaded when somebody first takes or chooses a photo. */
const fetchCamera = async () => (await import('./camera.tsx')).PassportCamera;
const fetchReader = () => import('./read-in-browser.ts');

/** Browsers say that there is a camera before they ask whether it may be used. */
async function findCamera(): Promise<boolean> {
  const devices = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
  return devices.some(({ kind }) => kind === 'videoinput');
}

/**
 * Takes a photo of a passport in a live view, or where there is none by the device's own camera, or takes one from the
 * device, and says what it read. The photo stays on the device: its controls have no name, and a form sends nothing of it.
 * `typeAt`: the control where the same can be typed. `controls` belong on the page.
 */
export function usePassportPhoto({
  now,
  typeAt,
  onRead,
}: {
  now: Date;
  typeAt: string;
  onRead: (reading: PhotoReading) => void;
}) {
  const { t } = useTranslation('visa');
  const [hasCamera, setHasCamera] = useState(false);
  const [Camera, setCamera] = useState<ComponentType<Parameters<typeof PassportCamera>[0]> | null>(
    null,
  );
  const [isReading, setIsReading] = useState(false);
  const own = useRef<HTMLInputElement>(null);
  const album = useRef<HTMLInputElement>(null);

  useEffect(() => void findCamera().then(setHasCamera), []);

  const choose = () => album.current?.click();

  async function take() {
    const loaded = (await findCamera()) ? await fetchCamera().catch(() => null) : null;
    const isPhone = matchMedia('(pointer: coarse)').matches;
    if (loaded) setCamera(() => loaded);
    else if (isPhone) own.current?.click();
    else choose();
  }

  async function onChosen({ target }: ChangeEvent<HTMLInputElement>) {
    const [photo] = target.files ?? [];
    // The same photo can be chosen again.
    target.value = '';
    if (!photo) return;
    setIsReading(true);
    try {
      onRead(await (await fetchReader()).readPhotoFile(photo, now));
    } catch {
      onRead({ ok: false, error: 'not_read', cutOut: null });
    } finally {
      setIsReading(false);
    }
  }

  const input = {
    accept: 'image/*',
    hidden: true,
    onChange: (event: ChangeEvent<HTMLInputElement>) => void onChosen(event),
    type: 'file',
  };
  const controls = (
    <>
      <input {...input} aria-label={t('reader.take')} capture="environment" ref={own} />
      <input {...input} aria-label={t('reader.choose')} ref={album} />
      {Camera ? (
        <Suspense>
          <Camera
            now={now}
            onChoose={choose}
            onClose={() => setCamera(null)}
            onRead={onRead}
            onType={() => document.getElementById(typeAt)?.focus()}
          />
        </Suspense>
      ) : null}
    </>
  );
  return { take, choose, hasCamera, isReading, controls };
}
