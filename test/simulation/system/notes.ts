/** The log of a lifecycle. */

/** `now` is in milliseconds. */
export const makeNotes = (now: () => number) => {
  const begin = now();
  const transcript: string[] = [];
  const breaches = new Set<string>();
  const elapsed = (): number => (now() - begin) / 1000;
  const say = (text: string): void => void transcript.push(`${elapsed().toFixed(3).padStart(9)} ${text}`);
  const accuse = (found: readonly string[]): void => {
    for (const breach of found) {
      if (!breaches.has(breach)) say(`BREACH ${breach}`);
      breaches.add(breach);
    }
  };
  return { transcript, breaches, elapsed, say, accuse };
};

export type Notes = ReturnType<typeof makeNotes>;
