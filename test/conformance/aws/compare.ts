/** Compares two accounts that contain the same cluster. */

export interface KnownDifference {
  /** Lines that occur only in the simulated AWS, or only in the emulator. */
  only: 'ours' | 'theirs';
  lines: RegExp;
  because: string;
}

export interface Difference {
  only: 'ours' | 'theirs';
  line: string;
}

/** The lines that only one of the two accounts has, without duplicates. */
export const differencesOf = (ours: readonly string[], theirs: readonly string[]): Difference[] => {
  const [mine, yours] = [new Set(ours), new Set(theirs)];
  return [
    ...[...mine].filter((line) => !yours.has(line)).map((line) => ({ only: 'ours', line }) as const),
    ...[...yours].filter((line) => !mine.has(line)).map((line) => ({ only: 'theirs', line }) as const),
  ];
};

const covers = (known: KnownDifference, { only, line }: Difference): boolean =>
  known.only === only && known.lines.test(line);

/** The unknown differences, and the known differences that no longer occur. */
export const unexpected = (differences: readonly Difference[], known: readonly KnownDifference[]): string[] => [
  ...differences
    .filter((one) => !known.some((entry) => covers(entry, one)))
    .map(({ only, line }) => `only ${only}: ${line}`),
  ...known
    .filter((entry) => !differences.some((one) => covers(entry, one)))
    .map(({ only, lines }) => `not met any more, only ${only}: ${lines}`),
];
