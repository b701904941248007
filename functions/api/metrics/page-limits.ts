/**
 * The share of the function's 1,024 MB that a page of metrics may take (infra/constructs/workflow/step.ts), and of the
 * 200 MB that Lambda streams in one response. The code takes 150 MB. The objects of one kind are in memory at a time,
 * beside the compressed page, which is at most three quarters as large as its labels weigh; at its end, it is in memory
 * twice.
 */
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ReadLimits } from '../../../shared/kube-api/storage/read-budget.ts';
import type { StateMetrics } from '../../../shared/state-metrics/family.ts';

/** What a namespace may add to the page, so that the page has the metrics of all others. */
export interface PageLimits {
  /** For the objects of all kinds that are read. */
  readonly read: ReadLimits;
  /** For the metrics of a kind: see `weigh`. */
  labels(kind: StateMetrics<KubeObject>): ReadLimits;
}

const MEGABYTE = 1024 * 1024;

/** A Machine weighs about 5 KB, so these are the metrics of 25,000. */
const MACHINES: ReadLimits = { namespace: 80 * MEGABYTE, total: 128 * MEGABYTE };
const OTHERS: ReadLimits = { namespace: 14 * MEGABYTE, total: 20 * MEGABYTE };

export const PAGE_LIMITS: PageLimits = {
  read: { namespace: 320 * MEGABYTE, total: 448 * MEGABYTE },
  labels: ({ resource }) => (resource.kind === kinds.machine.kind ? MACHINES : OTHERS),
};
