import { useTranslation } from '~/ui/texts/texts.tsx';
import type { UnsureLines } from './read-picture-lines.ts';

/** The lines as a photo shows them, with the characters marked that have to be compared with the document. */
export function DoubtfulLines({ lines: { text, doubts } }: { lines: UnsureLines }) {
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
