/** Which grants of the roles were used. */
import type { Question } from './requests.ts';
import type { Role, Statement } from './roles.ts';

/** An action or a resource of a grant, as it is printed in the list of unused ones. */
export interface Grant {
  functionName: string;
  /** The action, or the pattern of resources. */
  what: string;
}

/** IAM's own matching of resources: `*` is any characters, `?` one. */
const matches = (pattern: string, resource: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(resource);

export const makeUsage = (roles: readonly Role[]) => {
  const actions = new Map<Statement, Set<string>>();
  const resources = new Map<Statement, Set<string>>();
  const note = (into: Map<Statement, Set<string>>, statement: Statement, what: string): void => {
    into.set(statement, (into.get(statement) ?? new Set()).add(what));
  };
  const unused = (used: Map<Statement, Set<string>>, granted: (statement: Statement) => readonly string[]): Grant[] =>
    roles.flatMap(({ functionName, statements }) =>
      statements.flatMap((statement) =>
        granted(statement)
          .filter((what) => !used.get(statement)?.has(what))
          .map((what) => ({ functionName, what })),
      ),
    );
  return {
    /** Records that `question` was allowed by these statements. */
    used: (by: readonly Statement[], { action, resource }: Question): void => {
      for (const statement of by) {
        note(actions, statement, action);
        for (const pattern of statement.resources) if (matches(pattern, resource)) note(resources, statement, pattern);
      }
    },
    /** Unused actions, and then unused resources, of statements. */
    unused: (): Grant[] => [
      ...unused(actions, (statement) => statement.actions),
      ...unused(resources, (statement) => statement.resources),
    ],
  };
};
