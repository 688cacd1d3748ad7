import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '~/ui/button.tsx';
import { Icon } from '~/ui/icon.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { linesInFrame, makeFrameChoice, type Box } from './frames.ts';
import { MAX_SIDE_PX, openPhotoReader } from './picture/photo-reader.ts';
import { readSeen, type PhotoReading } from './read-in-browser.ts';
import './camera.css';

/** In milliseconds: how often a frame is looked at, at most, and when a hint is due. */
const LOOK_EVERY_MS = 250;
const HINT_AFTER_MS = 20_000;

/** In pixels: in a frame that is as wide a character is some 25 wide, and the reader needs 14. */
const MAX_FRAME_PX = 1200;

/** refused: by the visitor, the browser or the device's settings. in_use: by another program, or broken. */
type CameraProblem = 'refused' | 'in_use' | 'none';

function problemOf(error: unknown): CameraProblem {
  const name = error instanceof DOMException ? error.name : '';
  // Not supported: browsers inside other apps, and Chromium's headless shell, which cannot ask for the permission.
  if (['NotAllowedError', 'NotSupportedError', 'SecurityError'].includes(name)) return 'refused';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'in_use';
}

type CameraEvents = {
  onLive: () => void;
  onProblem: (problem: CameraProblem) => void;
  /** A photo was taken, and shows no lines. */
  onMissed: () => void;
  onRead: (reading: PhotoReading) => void;
};

/**
 * Shows the camera in `video` and looks for the lines in its frames, one after the other, until they are read or it is ended.
 * No frame leaves this device.
 */
function startCamera(
  video: HTMLVideoElement,
  frame: HTMLElement,
  now: Date,
  { onLive, onProblem, onMissed, onRead }: CameraEvents,
) {
  const reader = openPhotoReader();
  const choose = makeFrameChoice();
  const canvas = document.createElement('canvas');
  let stream: MediaStream | null = null;
  let still: HTMLCanvasElement | null = null;
  const over = new AbortController();

  function end() {
    over.abort();
    reader.end();
    for (const track of stream?.getTracks() ?? []) track.stop();
  }

  function frameToRead(): HTMLCanvasElement {
    const shown = video.getBoundingClientRect();
    const { left, top, width, height } = frame.getBoundingClientRect();
    const part = linesInFrame(sizeOf(video), shown, {
      left: left - shown.left,
      top: top - shown.top,
      width,
      height,
    });
    return drawPart(video, part, canvas, MAX_FRAME_PX);
  }

  async function look() {
    while (!over.signal.aborted) {
      const start = performance.now();
      if (still) {
        const photo = still;
        const reading = readSeen(photo, await reader.read(photo), now);
        if (over.signal.aborted) return;
        if (reading.ok || reading.error === 'unsure') return onRead(reading);
        still = null;
        onMissed();
      } else if (video.videoWidth > 0) {
        const picture = frameToRead();
        const lines = choose(await reader.read(picture, true));
        if (over.signal.aborted) return;
        if (lines) return onRead(readSeen(picture, lines, now));
      }
      const left = Math.max(0, start + LOOK_EVERY_MS - performance.now());
      await new Promise((resolve) => setTimeout(resolve, left));
    }
  }

  async function start() {
    try {
      const asked = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: {
          facingMode: { ideal: 'environment' },
          // A height too would make some browsers cut the picture.
          width: { ideal: 1920 },
        },
      });
      stream = asked;
      // Closed while the browser asked for permission.
      if (over.signal.aborted) return end();
      asked.getVideoTracks()[0]?.addEventListener('ended', () => {
        end();
        onProblem('in_use');
      });
      video.srcObject = asked;
      await video.play();
    } catch (error) {
      if (!over.signal.aborted) onProblem(problemOf(error));
      return end();
    }
    onLive();
    await look().catch(() => {
      if (!over.signal.aborted) onRead({ ok: false, error: 'not_read', cutOut: null });
    });
    return undefined;
  }
  void start();

  return {
    end,
    /** Takes a photo, which is read next. */
    takePhoto() {
      const whole = { left: 0, top: 0, ...sizeOf(video) };
      still = drawPart(video, whole, document.createElement('canvas'), MAX_SIDE_PX);
    },
  };
}

const sizeOf = ({ videoWidth: width, videoHeight: height }: HTMLVideoElement) => ({
  width,
  height,
});

function drawPart(
  video: HTMLVideoElement,
  { left, top, width, height }: Box,
  canvas: HTMLCanvasElement,
  most: number,
): HTMLCanvasElement {
  const scale = Math.min(1, most / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  drawing?.drawImage(video, left, top, width, height, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * The camera's view with a frame for the photo page. It reads by itself, and by a button; it ends with its dialog, and when
 * the page is left or hidden.
 */
export function PassportCamera({
  now,
  onRead,
  onChoose,
  onType,
  onClose,
}: {
  now: Date;
  onRead: (reading: PhotoReading) => void;
  /** The visitor wants to choose a photo, or to type. */
  onChoose: () => void;
  onType: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('visa');
  useAllTexts(true);
  const dialog = useRef<HTMLDialogElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const shutter = useRef<HTMLButtonElement>(null);
  const camera = useRef<ReturnType<typeof startCamera>>(undefined);
  const [state, setState] = useState<'starting' | 'live' | 'light' | 'reading'>('starting');
  const [problem, setProblem] = useState<CameraProblem | null>(null);

  // By the dialog itself, which gives the focus back.
  const close = () => dialog.current?.close();
  const begin = useEffectEvent(() => {
    if (!video.current || !frame.current) return;
    dialog.current?.showModal();
    shutter.current?.focus();
    camera.current = startCamera(video.current, frame.current, now, {
      onLive: () => setState('live'),
      onProblem: setProblem,
      onMissed: () => setState('light'),
      onRead: (reading) => {
        close();
        onRead(reading);
      },
    });
  });
  useEffect(() => {
    begin();
    const hidden = () => {
      if (document.visibilityState === 'hidden') dialog.current?.close();
    };
    const end = () => camera.current?.end();
    document.addEventListener('visibilitychange', hidden);
    addEventListener('pagehide', end);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      removeEventListener('pagehide', end);
      end();
    };
  }, []);

  const isLive = state === 'live';
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setTimeout(() => setState('light'), HINT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLive]);

  const isBusy = state === 'starting' || state === 'reading';
  function onShutter() {
    if (isBusy) return;
    camera.current?.takePhoto();
    setState('reading');
  }
  const status = {
    starting: t('reader.camera.starting'),
    live: t('reader.private'),
    light: t('reader.camera.light'),
    reading: t('reader.reading'),
  }[state];
  const instead = (
    <Button
      look="plain"
      onClick={() => {
        close();
        onType();
      }}
      type="button"
    >
      {t('reader.type')}
    </Button>
  );
  return (
    <dialog aria-labelledby="camera-title" className="dialog camera" onClose={onClose} ref={dialog}>
      <div className="camera-head">
        <h2 id="camera-title">{t(problem ? 'reader.fill' : 'reader.camera.title')}</h2>
        <button
          aria-label={t('reader.camera.close')}
          className="camera-close"
          onClick={close}
          type="button"
        >
          <Icon name="cross" />
        </button>
      </div>
      <div className="camera-view">
        <video aria-hidden="true" hidden={problem !== null} muted playsInline ref={video} />
        <div className="camera-frame" hidden={problem !== null} ref={frame} />
        {problem ? (
          <div className="camera-problem" role="alert">
            <p>{t(`reader.camera.${problem}`)}</p>
            <Button
              autoFocus
              look="light"
              onClick={() => {
                close();
                onChoose();
              }}
              type="button"
            >
              {t('reader.choose')}
            </Button>
            {instead}
          </div>
        ) : null}
      </div>
      {problem ? null : (
        <div className="camera-foot">
          <p role="status">{status}</p>
          <button
            aria-disabled={isBusy || undefined}
            aria-label={t('reader.camera.shutter')}
            className="camera-shutter"
            onClick={onShutter}
            ref={shutter}
            type="button"
          />
          {instead}
        </div>
      )}
    </dialog>
  );
}
