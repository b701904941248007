import { describe, expect, it } from 'vitest';
import type { Context } from '../context.ts';
import { readAssumableRoles } from './assumable-roles.ts';

const read = (value: unknown) => {
  const problems: string[] = [];
  const context = { raw: () => value, report: (_key: string, problem: string) => void problems.push(problem) };
  return { roles: readAssumableRoles(context as unknown as Context), problems };
};

describe('the roles that identities may assume', () => {
  it('have the usual suffix of cluster roles by default', () => {
    const { roles, problems } = read(undefined);
    expect(roles).toEqual([expect.stringMatching(/:iam::\*:role\/\*\.cluster-api-provider-aws\.sigs\.k8s\.io$/)]);
    expect(problems).toEqual([]);
  });

  it('are those that the settings list, or none', () => {
    const [one, two] = ['arn:aws:iam::111111111111:role/*', 'arn:aws:iam::*:role/clusters'];
    expect(read(`${one}, ${two}`)).toEqual({ roles: [one, two], problems: [] });
    expect(read([one, two]).roles).toEqual([one, two]);
    expect(read('')).toEqual({ roles: [], problems: [] });
  });

  it('cannot be all roles of all accounts, or anything that is not a role', () => {
    expect(read('arn:aws:iam::*:role/*').problems).toEqual([expect.stringContaining('every role of every account')]);
    const user = 'arn:aws:iam::111111111111:user/red';
    expect(read(user).problems).toEqual([expect.stringContaining('is not the ARN of an IAM role')]);
  });
});
