const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time from an instant (RFC 3339) until `now`, in at most the two largest units: `45s`, `3m20s`, `5h`, `12d`. */
export const ageOf = (since: string, now: Date): string => {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 1000));
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) {
    const rest = seconds % MINUTE;
    return `${Math.floor(seconds / MINUTE)}m${rest === 0 ? '' : `${rest}s`}`;
  }
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  return `${Math.floor(seconds / DAY)}d`;
};
