/**
 * - `created`: the call creates the resource, and marks it as the cluster's.
 * - `described`: its tags were read in the same pass, and prove that it belongs to the cluster or the machine.
 * - `named`: only a resource of this object can have the name.
 * - `own`: a resource of the installation, which no object names.
 */
export type Proof = 'created' | 'described' | 'named' | 'own';

export interface MutatingCalls {
  proof: Proof;
  /** What proves the ownership, and where. */
  by: string;
  /** The files that make each call `<client>:<operation>`. */
  calls: Readonly<Record<string, readonly string[]>>;
}
