import type { Clock } from '../../../shared/clock.ts';

const HOUR_MILLISECONDS = 3_600_000;

/** What Secrets Manager creates or deletes; other members do not matter. */
interface SecretInput {
  Name?: string;
  SecretId?: string;
}

/** Secrets Manager bills each secret by the hour, and an hour that has begun is one. */
export const makeSecretHours = (clock: Clock) => {
  const since = new Map<string, number>();
  let ended = 0;
  const hoursOf = (from: number): number => Math.ceil(Math.max(1, clock.now().getTime() - from) / HOUR_MILLISECONDS);
  return {
    /** All hours so far, of secrets that exist and of those that are gone. */
    hours: (): number => [...since.values()].reduce((sum, from) => sum + hoursOf(from), ended),
    /** A call that succeeded. One that is to be removed later is not billed until then. */
    called: (operation: string, { Name, SecretId }: SecretInput): void => {
      if (operation === 'CreateSecret' && Name !== undefined) since.set(Name, clock.now().getTime());
      if (operation !== 'DeleteSecret' || SecretId === undefined) return;
      const name = [...since.keys()].find((one) => one === SecretId || SecretId.includes(`:secret:${one}-`));
      if (name === undefined) return;
      ended += hoursOf(since.get(name) ?? 0);
      since.delete(name);
    },
  };
};
