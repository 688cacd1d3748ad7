import * as Radix from '@radix-ui/react-tooltip';
import type { ReactElement, ReactNode } from 'react';

/** The customer's specification: a tooltip opens after 0.7 seconds. */
const TOOLTIP_DELAY_MS = 700;

/** A few extra words at a control, never the only place where something is said. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Radix.Provider delayDuration={TOOLTIP_DELAY_MS}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            className="z-60 max-w-70 rounded-tag bg-ink px-2.5 py-1.5 text-micro text-cream forced-colors:border forced-colors:border-[CanvasText]"
            collisionPadding={8}
            sideOffset={6}
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
