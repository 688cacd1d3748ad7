const MINUTE = 60_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** What calendar and clock on a wall in that zone show: YYYY-MM-DD and HH:MM. Throws on an unknown zone. */
export function wallClock(instant: Date, timeZone: string): { date: string; time: string } {
  const part = new Map(
    formatterFor(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => part.get(type) ?? '';
  return {
    date: `${read('year')}-${read('month')}-${read('day')}`,
    time: `${read('hour')}:${read('minute')}`,
  };
}

/** "UTC", "UTC+3", "UTC−3:30": the zone's distance at that moment, which reads the same in every language. */
export function zoneLabel(instant: Date, timeZone: string): string {
  const { date, time } = wallClock(instant, timeZone);
  const shown = Date.parse(`${date}T${time}:00Z`) / MINUTE;
  const minutes = shown - Math.floor(instant.getTime() / MINUTE);
  if (minutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/** Whether the zone is known here: what a browser says of itself is checked before it is used. */
export function isTimeZone(name: string): boolean {
  try {
    formatterFor(name);
    return true;
  } catch {
    return false;
  }
}

/** Only numbers are asked of `Intl`, so that every version of its data answers the same. */
function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formatters.set(timeZone, made);
  return made;
}
