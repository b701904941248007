import { formatTime, type KubeObject } from '../../kube-api/object.ts';
import { conditionColumn } from '../schema/columns.ts';

/**
 * What kinds say of themselves while Windlass stores them and does nothing about them: a condition from their first
 * moment, a column, and a warning to who creates them. Whoever makes a kind reconciled takes this out of its definition.
 */

/** Qualified with our own domain, so that it never meets a condition of Cluster API. */
export const RECONCILED = 'windlass.dev/Reconciled';
export const NOT_RECONCILED_YET = 'NotReconciledYet';

/** The last column of the kinds that nothing acts on. */
export const reconciledColumn = conditionColumn('Reconciled', RECONCILED, 'Whether Windlass acts on the object');

const warnOnCreate =
  (kind: string, consequence: string) =>
  (_object: KubeObject, old: KubeObject | undefined): string[] =>
    old ? [] : [`${kind}: not reconciled yet: ${consequence}`];

/** Parts of a definition; `consequence` says what does not happen, as a clause. */
export const notReconciled = (kind: string, consequence: string) => ({
  initialStatus: (_object: KubeObject, now: Date) => ({
    conditions: [
      {
        type: RECONCILED,
        status: 'False',
        reason: NOT_RECONCILED_YET,
        message: `Stored, and nothing acts on it yet: ${consequence}`,
        lastTransitionTime: formatTime(now),
        observedGeneration: 1,
      },
    ],
  }),
  warnings: warnOnCreate(kind, consequence),
});

/** The same for the kinds of the AWS provider, whose conditions have the form of v1beta1. */
export const notReconciledByProvider = (kind: string, consequence: string) => ({
  initialStatus: (_object: KubeObject, now: Date) => ({
    conditions: [
      {
        type: RECONCILED,
        status: 'False',
        severity: 'Info',
        reason: NOT_RECONCILED_YET,
        message: `Stored, and nothing acts on it yet: ${consequence}`,
        lastTransitionTime: formatTime(now),
      },
    ],
  }),
  warnings: warnOnCreate(kind, consequence),
});
