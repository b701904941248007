import type { Target } from '../../template.ts';

const INVOKE = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** The function in a request to Invoke, as the request names it; undefined for another request. */
export const invokedFunction = (url: URL): string | undefined => {
  const [, name] = INVOKE.exec(url.pathname) ?? [];
  return name === undefined ? undefined : decodeURIComponent(name);
};

/** A name, a partial ARN or a complete one, each with or without a version or an alias. */
const NAME =
  /^(?:(?:arn:(?<partition>[\w-]+):lambda:(?<region>[\w-]+):)?(?<accountId>\d{12}):function:)?(?<name>[\w-]{1,64})(?::[\w$-]+)?$/;

/** The name of a function in this account and region; undefined for others. All versions are the same here. */
export const functionNameIn = (text: string, target: Target): string | undefined => {
  const { name, ...place } = NAME.exec(text)?.groups ?? {};
  const isHere = Object.entries(place).every(
    ([key, value]) => value === undefined || value === target[key as 'partition' | 'region' | 'accountId'],
  );
  return isHere ? name : undefined;
};
