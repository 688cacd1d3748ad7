import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { FieldError, FieldHint, hasError, type FieldText, type FieldWidth } from './field.tsx';

/** Several controls that answer one question; the label is their legend. */
export function FieldSet({
  width = 'full',
  heading,
  children,
  className,
  ...text
}: FieldText & {
  width?: FieldWidth;
  /** The question is a heading of the page: `h2`, 24/30; `h1` where it is the page's only question. */
  heading?: 'h1' | 'h2';
  className?: string;
  children: ReactNode;
}) {
  const described = classNames(
    text.hint !== undefined && `${text.name}-hint`,
    hasError(text.error) && `${text.name}-error`,
  );
  const Heading = heading;
  return (
    <fieldset
      aria-describedby={described || undefined}
      className={classNames(
        'field',
        `field-${width}`,
        hasError(text.error) && 'has-error',
        className,
      )}
    >
      <legend className={Heading ? 'float-start w-full p-0' : 'field-label'}>
        {Heading ? (
          <Heading
            className={
              Heading === 'h2' ? 'text-h2-form' : 'text-h1 print:text-[24pt] print:leading-[1.2]'
            }
          >
            {text.label}
          </Heading>
        ) : (
          text.label
        )}
      </legend>
      <FieldHint {...text} />
      <FieldError {...text} />
      {children}
    </fieldset>
  );
}
