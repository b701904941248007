/** The facts about one MachineSet that a rollout needs. */
export interface SetFacts {
  name: string;
  /** `metadata.creationTimestamp`, milliseconds. */
  createdAt: number;
  /** `spec.replicas`. */
  desired: number;
  /** Existing machines, including those being deleted. */
  actual: number;
  /** Machines whose condition Available is true. */
  available: number;
  /** Whether the machine that would be deleted next is available and not marked by a user. */
  losesAvailable: boolean;
}

/** The set that creates machines from the current template, and the others. */
export interface RolloutFacts {
  current: SetFacts;
  old: readonly SetFacts[];
}

/** A change of `spec.replicas` of one set, and why. */
export interface ScaleIntent {
  set: string;
  replicas: number;
  reason: string;
}

export const sumOf = (sets: readonly SetFacts[], count: (set: SetFacts) => number): number =>
  sets.reduce((total, set) => total + count(set), 0);

/** Oldest first; by name if they were created in the same second. */
export const oldestFirst = (sets: readonly SetFacts[]): SetFacts[] =>
  [...sets].sort((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1));

/**
 * How many machines exist or will exist: the desired number while a set scales up, the current number while it scales
 * down.
 */
export const committed = ({ desired, actual }: SetFacts): number => Math.max(desired, actual);
