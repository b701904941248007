import { expect, it } from 'vitest';
import type { PoolAction } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { waitForRest } from './waiting.ts';

const SINCE = '2026-01-01T00:00:00Z';

const after = (seconds: number, kind: PoolAction['do']) =>
  waitForRest([{ do: kind } as PoolAction], SINCE, new Date(Date.parse(SINCE) + seconds * 1000));

it('the rest of a plan follows at once, but a plan that does not become empty is checked less and less often', () => {
  const waits = [0, 59, 90, 300, 1800].map((seconds) => after(seconds, 'delete-warm-pool').waitSeconds);
  expect(waits).toEqual([1, 1, 5, 15, 60]);
  expect(after(3600, 'delete-warm-pool')).toEqual({ progress: 'done', waitSeconds: 0 });
});

it('a change of the template is always followed by the rest of the plan', () => {
  expect(after(7200, 'create-version')).toEqual({ progress: 'wait', waitSeconds: 1 });
});
