/** What `npm run conformance -- …` should run. */

export interface Request {
  /** Parts of paths of test files; a file that has one of them in its path is meant. None: all files. */
  filters: string[];
  /** Only the suites of the API. */
  api: boolean;
  /** Also what is unchanged and passed before. */
  all: boolean;
  /** Only provide the tools. */
  toolsOnly: boolean;
  /** From the first option that is not ours on: passed to vitest. */
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
