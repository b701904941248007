/**
 * - `created`: the call makes the thing, and marks it as the cluster's.
 * - `described`: its tags were read in the same pass, and prove it to be the cluster's or the machine's.
 * - `named`: its name can only be that of this object's own.
 * - `own`: a thing of the installation, which no object names.
 */
export type Proof = 'created' | 'described' | 'named' | 'own';

export interface MutatingCalls {
  proof: Proof;
  /** What establishes it, and where. */
  by: string;
  /** The files that make each call, `<client>:<operation>`. */
  calls: Readonly<Record<string, readonly string[]>>;
}
