/** The parts of a question on which IAM's answer can depend: questions with equal parts are the same question. */
import type { Question } from './requests.ts';
import type { Role } from './roles.ts';

type Condition = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The context keys that statements of the role use. */
const askedKeys = ({ statements }: Role): ReadonlySet<string> =>
  new Set(
    statements.flatMap(({ document }) => Object.values((document.Condition ?? {}) as Condition).flatMap(Object.keys)),
  );

/** Ids differ between runs, and no policy names one. */
const withoutIds = (resource: string): string =>
  resource.replace(/[0-9a-f]{17}/g, 'id').replace(/[0-9a-f-]{36}/g, 'id');

/** Returns a function that returns the same text for questions that a role's policies cannot distinguish. */
export const makeGist = () => {
  const keys = new Map<Role, ReadonlySet<string>>();
  return (role: Role, { action, resource, context }: Question): string => {
    const asked = keys.get(role) ?? askedKeys(role);
    keys.set(role, asked);
    const heard = Object.entries(context).filter(([key]) => asked.has(key));
    return JSON.stringify([role.functionName, action, withoutIds(resource), heard.sort()]);
  };
};
