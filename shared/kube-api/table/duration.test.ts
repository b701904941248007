import { expect, it } from 'vitest';
import { humanDuration } from './duration.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

it.each([
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [2 * MINUTE, '2m'],
  [3 * MINUTE + 20, '3m20s'],
  [10 * MINUTE + 1, '10m'],
  [179 * MINUTE, '179m'],
  [3 * HOUR, '3h'],
  [3 * HOUR + 5 * MINUTE, '3h5m'],
  [8 * HOUR + 5 * MINUTE, '8h'],
  [47 * HOUR, '47h'],
  [2 * DAY, '2d'],
  [7 * DAY + 4 * HOUR, '7d4h'],
  [8 * DAY + 4 * HOUR, '8d'],
  [729 * DAY, '729d'],
  [730 * DAY, '2y'],
  [900 * DAY, '2y170d'],
  [8 * 365 * DAY + DAY, '8y'],
])('shows %i s as %s', (seconds, text) => {
  expect(humanDuration(seconds * 1000)).toBe(text);
});
