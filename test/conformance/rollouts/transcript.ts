/**
 * Reads the golden transcripts of upstream's rollout planner, which record when each controller ran and what it
 * changed. Unknown lines are errors, so that nothing is skipped.
 */

/**
 * A set in a transcript: its replicas according to the last status, the desired replicas, and the existing machines.
 */
export interface SetState {
  name: string;
  replicas: number;
  desired: number;
  machines: string[];
}

export type Event =
  /** The deployment is reconciled. `sets` is the state afterwards. */
  | { do: 'plan'; sets: SetState[] }
  /** A set is reconciled. `set` is the state before, followed by the machines that were created or deleted. */
  | { do: 'set'; set: SetState; created: string[]; deleted: string[] }
  /** A user deletes a machine. */
  | { do: 'delete'; machine: string }
  /** A deleted machine is gone. */
  | { do: 'gone'; machine: string };

export interface Transcript {
  replicas: number;
  /** Undefined for the strategy OnDelete. */
  bounds: { maxSurge: number; maxUnavailable: number } | undefined;
  initial: SetState[];
  events: Event[];
  final: SetState[];
}

const SET =
  /^(?<name>ms\d+): (?:from \d+\/\d+ to )?(?<replicas>\d+)\/(?<desired>\d+) replicas, \d+ available, \d+ upToDate \((?<machines>[m\d,]*)\)$/;

const listOf = (text: string): string[] => text.split(',').filter((name) => name !== '');

const readSet = (text: string): SetState | undefined => {
  const { name, replicas, desired, machines } = SET.exec(text)?.groups ?? {};
  if (!name) return undefined;
  return { name, replicas: Number(replicas), desired: Number(desired), machines: listOf(machines ?? '') };
};

const COUNTS = String.raw`\d+\/(?<replicas>\d+) replicas, \d+ available, \d+ upToDate`;

/** Lines that do not affect sets and machines, or that describe a change which other lines contain. */
const REMARKS: readonly RegExp[] = [
  /^## /,
  /^\[MD controller\] Iteration \d+, Reconcile md$/,
  /^\[M controller\] Iteration \d+, Reconcile m\d+$/,
  /^\[Toleration\] tolerate \w+ breach$/,
  new RegExp(`^md: md: ${COUNTS}$`),
  /^- (Updated|Scaled up|Scaled down|MachineSet|Reason|Diff:?)\b/,
];

type Read = (found: Record<string, string>, transcript: Transcript) => void;

const setOf = (transcript: Transcript): Extract<Event, { do: 'set' }> => {
  const last = transcript.events.at(-1);
  if (last?.do !== 'set') throw new Error('machines were scaled by no set');
  return last;
};

/** The list to which lines about sets belong, according to the last heading. */
const openList = (transcript: Transcript): SetState[] => {
  if (transcript.final.length > 0) return transcript.final;
  const last = transcript.events.at(-1);
  return last?.do === 'plan' ? last.sets : transcript.initial;
};

const MARK: SetState = { name: '', replicas: 0, desired: 0, machines: [] };

const LINES: readonly (readonly [RegExp, Read])[] = [
  [/^\[Test\] Initial state$/, () => {}],
  [
    new RegExp(`^md: ${COUNTS}$`),
    ({ replicas }, transcript) => {
      transcript.replicas = Number(replicas);
    },
  ],
  [
    /^\[Test\] Rollout \d+ replicas, MaxSurge=(?<surge>\d+), MaxUnavailable=(?<unavailable>\d+)(, random\(\d+\))?$/,
    ({ surge, unavailable }, transcript) => {
      transcript.bounds = { maxSurge: Number(surge), maxUnavailable: Number(unavailable) };
    },
  ],
  [/^\[Test\] Rollout \d+ replicas, onDeleteStrategy(, random\(\d+\))?$/, () => {}],
  [/^\[MD controller\] - Result of rollout planner$/, (_, { events }) => events.push({ do: 'plan', sets: [] })],
  [
    /^\[MS controller\] Iteration \d+, Reconcile (?<set>ms.*)$/,
    ({ set = '' }, { events }) => {
      const state = readSet(set);
      if (!state) throw new Error(`no set: ${set}`);
      events.push({ do: 'set', set: state, created: [], deleted: [] });
    },
  ],
  [
    /^\[MS controller\] - ms\d+ scale (?:up|down) to \d+\/\d+ replicas \((?<machines>[m\d,]+) (?<what>created|deleted)\)$/,
    ({ machines = '', what }, transcript) => {
      setOf(transcript)[what === 'created' ? 'created' : 'deleted'] = listOf(machines);
    },
  ],
  [
    /^\[User\] Iteration \d+, Deleting machine (?<machine>m\d+)$/,
    ({ machine = '' }, { events }) => events.push({ do: 'delete', machine }),
  ],
  [
    /^\[M controller\] - (?<machine>m\d+) finalizer removed$/,
    ({ machine = '' }, { events }) => events.push({ do: 'gone', machine }),
  ],
  // The mark makes the list non-empty, so that the sets in the following lines are added to it.
  [/^\[Test\] Final state$/, (_, { final }) => final.push(MARK)],
];

const readLine = (line: string, transcript: Transcript): void => {
  if (line === '' || REMARKS.some((remark) => remark.test(line))) return;
  const set = readSet(line);
  if (set) {
    openList(transcript).push(set);
    return;
  }
  for (const [pattern, read] of LINES) {
    const found = pattern.exec(line);
    if (!found) continue;
    read((found.groups ?? {}) as Record<string, string>, transcript);
    return;
  }
  throw new Error(`a line that nobody understands: ${line}`);
};

/** Reads a transcript. Throws an Error if it does not know a line. */
export const readTranscript = (text: string): Transcript => {
  const transcript: Transcript = { replicas: 0, bounds: undefined, initial: [], events: [], final: [] };
  for (const line of text.split('\n')) readLine(line.trim(), transcript);
  transcript.final = transcript.final.filter((set) => set !== MARK);
  return transcript;
};
