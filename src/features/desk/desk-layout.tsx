import { useEffect, useRef, type ReactNode } from 'react';
import { Outlet, type ShouldRevalidateFunctionArgs } from 'react-router';
import { aheadOf } from '~/features/desk/frame/use-ahead.tsx';
import { Announcer } from '~/features/desk/frame/announcer.tsx';
import { useDocumentShown } from '~/features/desk/frame/use-opened-focus.tsx';
import { deskSignals } from '~/features/desk/live/signals.server.ts';
import { RouterPage } from '~/features/desk/frame/router-page.tsx';
import type { FrameData } from '~/features/desk/navigation/signals.ts';
import { hasJustDecided } from '~/features/desk/decision/undo-cookie.server.ts';
import { UndoNotice } from '~/features/desk/undo/undo-notice.tsx';
import { undoableDecisions } from '~/features/desk/undo/undoable-store.server.ts';
import { SessionNotice } from '~/features/desk/live/session-notice.tsx';
import { LiveDesk } from '~/features/desk/live/live-desk.tsx';
import { startQuery } from '~/features/desk/views/views.server.ts';
import {
  mustSetUpSecondFactor,
  sessionEndOf,
  staffIfSignedIn,
} from '~/features/staff/require.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { TOASTS_ID } from '~/ui/toast/toast.tsx';
import type { Route } from './+types/desk-layout.ts';

/** The data of the frame of every desk page; null for visitors, who see the sign-in page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await staffIfSignedIn({ request, context });
  const platform = context.get(platformContext);
  const isIn = staff !== null && !mustSetUpSecondFactor(platform, staff);
  const now = platform.now();
  const [signals, undoable, start, sessionEnd] = isIn
    ? await Promise.all([
        deskSignals(platform.db, staff, now),
        hasJustDecided(platform, request) ? undoableDecisions(platform.db, staff, now) : [],
        startQuery(platform, staff),
        sessionEndOf({ request, context }),
      ])
    : [null, [], '', null];
  const appearance = staff?.appearance ?? 'device';
  return {
    signals,
    undoable,
    now: now.getTime(),
    appearance,
    start,
    sessionEnd,
  } satisfies FrameData & Record<string, unknown>;
}

/**
 * Counts change with every page that is opened. An application that was loaded ahead is shown without waiting for them; it
 * asks for them itself.
 */
export const shouldRevalidate = ({ nextParams }: ShouldRevalidateFunctionArgs) =>
  aheadOf(nextParams.number) === null;

export default function DeskLayout({ loaderData }: Route.ComponentProps) {
  useDocumentShown();
  return (
    <RouterPage>
      <Announcer>
        <LiveDesk isOn={loaderData.signals !== null}>
          <Outlet />
          <MessagePlace>
            <SessionNotice />
            <UndoNotice decisions={loaderData.undoable} madeAt={loaderData.now} />
          </MessagePlace>
        </LiveDesk>
      </Announcer>
    </RouterPage>
  );
}

/** How high it is, for what else keeps to the bottom of the screen (`css/frame.css`). */
const SIZE = '--desk-messages-size';

/**
 * Where passing messages of the desk stand: below the page, and at the bottom of the screen while that is scrolled. It is
 * part of the layout, so that no message lies on a button: what has its place above it makes room.
 */
function MessagePlace({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() => {
      root.setProperty(SIZE, `${place.current?.offsetHeight ?? 0}px`);
    });
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      root.removeProperty(SIZE);
    };
  }, []);
  return (
    <div className="desk-messages print:hidden" ref={place}>
      {children}
      <div id={TOASTS_ID} />
    </div>
  );
}
