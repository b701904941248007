/** Progress as plain lines, one for each event: for a pipe, a log, or a user who scrolls back. */
import { type Fact, factsOf } from './facts.ts';
import type { ClusterSnapshot } from './snapshot.ts';

const time = (seconds: number): string => `+${seconds.toFixed(1)}s`.padStart(7);

const subjectOf = ({ subject, step }: Fact): string => (step === '' ? subject : `${subject}, ${step}`);

const lineFor = (before: Fact | undefined, fact: Fact): string | undefined => {
  const { state, detail, failed, why } = fact;
  if (failed && why !== before?.why) return `${subjectOf(fact)}  ${state}: ${why}`;
  if (state === before?.state) return undefined;
  // A step that begins with waiting is no news.
  if (before === undefined && state === 'waiting') return undefined;
  const news = before === undefined || fact.step !== '' ? state : `${before.state} → ${state}`;
  return [subjectOf(fact), news, fact.done ? detail : ''].filter(Boolean).join('  ');
};

/** The changes between two polls of a cluster, one line each: `Machine cp-abcde  Provisioned → Running`. */
export const changesBetween = (before: ClusterSnapshot | undefined, after: ClusterSnapshot): string[] => {
  const old = new Map((before ? factsOf(before) : []).map((fact) => [fact.key, fact]));
  const facts = factsOf(after);
  const left = new Set(facts.map(({ key }) => key));
  const changes = facts.map((fact) => lineFor(old.get(fact.key), fact));
  const gone = [...old.values()]
    .filter(({ key }) => !left.has(key))
    .map((fact) => (fact.step === '' ? `${fact.subject}  ${fact.state} → gone` : undefined));
  return [...changes, ...gone].filter((line) => line !== undefined);
};

/** The changes with the seconds since the start: `+3.2s  Machine cp-abcde  Provisioned → Running`. */
export const timedChanges = (before: ClusterSnapshot | undefined, after: ClusterSnapshot, seconds: number): string[] =>
  changesBetween(before, after).map((line) => `${time(seconds)}  ${line}`);
