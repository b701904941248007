import type { Context } from '../context.ts';

const PRINCIPAL = {
  pattern: /^arn:aws[a-z-]*:(iam|sts)::\d{12}:[\w+=,.@/*-]+$/,
  is: 'the ARN of an IAM user or role (* matches any characters, but not in the account)',
};

const ROLE_WITH_PATH = /^(arn:[\w-]+:iam::\d+:role\/).*\/([^/]*)$/;

/**
 * Patterns of principals. STS reports roles without their paths, for example those of IAM Identity Center (SSO): a
 * pattern with a path would never match, and is reported.
 */
export const readPrincipals = (context: Context, key: string): string[] => {
  const patterns = context.list(key, PRINCIPAL);
  for (const pattern of patterns) {
    const [, start, name] = ROLE_WITH_PATH.exec(pattern) ?? [];
    if (start === undefined) continue;
    context.report(
      key,
      `"${pattern}" has the path of a role, which callers do not have: write ${start}${name || 'NAME'}, which is the same role, as names of roles are unique in an account`,
    );
  }
  return patterns;
};

/** Undefined means the role WindlassAdmin in the stack's own account. */
export const readAdmins = (context: Context): string[] | undefined => {
  if (context.raw('adminPrincipals') === undefined) return undefined;
  const patterns = readPrincipals(context, 'adminPrincipals');
  if (patterns.length === 0) context.report('adminPrincipals', 'must name at least one principal');
  return patterns;
};
