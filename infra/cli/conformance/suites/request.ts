/** What `npm run conformance -- …` should run. */

export interface Request {
  /**
   * Parts of paths: a test file is selected if its path contains one of them. If there are none, all files are
   * selected.
   */
  filters: string[];
  /** Only the suites of the API. */
  api: boolean;
  /** Also run files that have passed and have not changed. */
  all: boolean;
  /** Only provide the tools. */
  toolsOnly: boolean;
  /** Everything from the first option that the command does not define; passed to vitest. */
  options: string[];
}

/** Parses the arguments of the command, after commander has read its own options. */
export const readRequest = (args: readonly string[], { all = false, tools = false } = {}): Request => {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const named = firstOption < 0 ? args : args.slice(0, firstOption);
  const api = named[0] === 'kube-api';
  return {
    filters: api ? named.slice(1) : [...named],
    api,
    all,
    toolsOnly: tools,
    options: firstOption < 0 ? [] : args.slice(firstOption),
  };
};
