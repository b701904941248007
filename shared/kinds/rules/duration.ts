/** Seconds in Go's format for durations, which metav1.Duration accepts: 900 → `15m0s`. */
export const formatDuration = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = seconds % 60;
  if (hours > 0) return `${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`;
};

/** The same for a number of days; undefined remains undefined. */
export const formatDays = (days: number | undefined): string | undefined =>
  days === undefined || days === 0 ? undefined : formatDuration(days * 24 * 3600);
