/** Opens an address in this tab. One that differs from the page's own by nothing, or its fragment alone, is opened anew, too. */
export function goTo(to: string): void {
  const target = new URL(to, location.href);
  const isHere = target.pathname === location.pathname && target.search === location.search;
  if (!isHere) return location.assign(target);
  if (target.hash !== location.hash) location.hash = target.hash;
  location.reload();
}
