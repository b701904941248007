/** One check, and its result. */
export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  /** The finding, without secrets, because it is also for support cases. */
  detail: string;
}

export interface Check {
  name: string;
  /** Rejects if it cannot be checked. */
  look(): Promise<Omit<Finding, 'name'>>;
}

/** A client's error may quote the request, but its first line contains only the reason. */
const reasonOf = (error: unknown): string => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const [first = ''] = message.split('\n');
  return name === 'Error' || first.startsWith(name) ? first : `${name}: ${first}`;
};

/** Runs all checks, even if some fail; the findings are in the order of the checks. */
export const examine = (checks: readonly Check[]): Promise<Finding[]> =>
  Promise.all(
    checks.map(async ({ name, look }) => {
      try {
        return { name, ...(await look()) };
      } catch (error) {
        return { name, status: 'failed', detail: reasonOf(error) };
      }
    }),
  );
