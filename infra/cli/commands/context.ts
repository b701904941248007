/** Settings of the deployment that a command line gives, as `cdk -c key=value` does. */

/** Throws if an entry is not `key=value`. */
export const contextOf = (entries: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    entries.map((entry) => {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(entry) ?? [];
      if (key === '') throw new Error(`--context ${entry}: must be key=value, for example apiCallEvents=true`);
      return [key, value];
    }),
  );
