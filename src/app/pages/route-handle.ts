/** What a route's `handle` may say: what its page needs beyond HTML, so that it is allowed that and no more. */
export type RouteHandle = {
  /** The page works without framework JavaScript and ships none. */
  scriptFree?: boolean;
  /** Its form goes to the card gateway. Always opened as a whole document, because a policy belongs to one. */
  postsToGateway?: boolean;
  /** It shows documents of ours in frames. Always opened as a whole document. */
  framesOwn?: boolean;
  /** It loads PayPal's own script, which opens frames and windows. Always opened as a whole document. */
  paypalScript?: boolean;
  /** The page itself says when a request did not get through: its action's answer is then `{ offline: true }`. */
  tellsOffline?: boolean;
  /** All texts that it shows are in the first part: see `text-parts.ts`. */
  startTexts?: boolean;
  /** It has a look of its own, without the site's header and footer. */
  ownLook?: boolean;
};

/** The handles of all routes of a page, combined. */
export function needsOf(handles: readonly unknown[]): Required<RouteHandle> {
  const says = (need: keyof RouteHandle) =>
    handles.some(
      (handle) =>
        typeof handle === 'object' && handle !== null && Reflect.get(handle, need) === true,
    );
  return {
    scriptFree: says('scriptFree'),
    postsToGateway: says('postsToGateway'),
    framesOwn: says('framesOwn'),
    paypalScript: says('paypalScript'),
    tellsOffline: says('tellsOffline'),
    startTexts: says('startTexts'),
    ownLook: says('ownLook'),
  };
}

/**
 * Whether a page whose action has answered this stays as it is; a route says so by a function `keepsData` in its `handle`.
 */
export function keepsDataOf(handle: unknown): (actionData: unknown) => boolean {
  const keeps: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'keepsData') : undefined;
  return (actionData) =>
    typeof keeps === 'function' && typeof actionData === 'object' && keeps(actionData) === true;
}
