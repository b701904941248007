import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { readAssumableRoles } from './assumable-roles.ts';

/** What a person may choose about an installation, by CDK context (`-c key=value` or cdk.json). */
export interface Settings {
  /** The stack's name; also the prefix of the functions and state machines: `Windlass` or `Windlass-<name>`. */
  stackName: string;
  /** Minutes between two sweeps of the account, 1 to 60. */
  sweepMinutes: number;
  /** Days that logs are kept; one of the values that CloudWatch Logs knows. */
  logRetention: RetentionDays;
  /** Patterns of IAM principal ARNs that are admins; undefined: the role WindlassAdmin of the stack's own account. */
  adminPrincipals: readonly string[] | undefined;
  /** Further accounts, beside the stack's own, whose principals RBAC objects may give rights to. */
  trustedAccounts: readonly string[];
  /** Regular expressions for labels of machines that their nodes get beside those that they always get. */
  syncMachineLabels: readonly string[];
  /** The same for annotations. */
  syncMachineAnnotations: readonly string[];
  /** Patterns of the ARNs of roles that clusters' identities may assume. */
  assumableRoles: readonly string[];
}

const NAME = /^[a-z][a-z0-9-]{0,23}$/;
const PRINCIPAL = /^arn:aws[a-z-]*:(iam|sts)::(\d{12}|\*):[\w+=,.@/*-]+$/;

type Read = (key: string) => unknown;
type Report = (problem: string) => void;

const readName = (read: Read, report: Report): string => {
  const name = read('name');
  if (name === undefined || name === '') return 'Windlass';
  if (typeof name !== 'string' || !NAME.test(name))
    report(`context "name": must be at most 24 lower-case letters, digits and hyphens, and start with a letter`);
  return `Windlass-${name}`;
};

const readWhole = (read: Read, report: Report, key: string, fallback: number, limits: [number, number]): number => {
  const value = Number(read(key) ?? fallback);
  if (!Number.isInteger(value) || value < limits[0] || value > limits[1])
    report(`context "${key}": must be a whole number from ${limits[0]} to ${limits[1]}, not "${read(key)}"`);
  return value;
};

const readRetention = (read: Read, report: Report): RetentionDays => {
  const days = Number(read('logRetentionDays') ?? RetentionDays.THREE_MONTHS);
  const known = Object.values(RetentionDays).filter((value) => typeof value === 'number' && value < 9999) as number[];
  if (!known.includes(days)) report(`context "logRetentionDays": must be one of ${known.join(', ')}, not "${days}"`);
  return days;
};

const readPrincipals = (read: Read, report: Report): string[] | undefined => {
  const value = read('adminPrincipals');
  if (value === undefined) return undefined;
  const patterns = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map((part) => part.trim());
  if (patterns.length === 0) report('context "adminPrincipals": must name at least one principal');
  for (const pattern of patterns)
    if (!PRINCIPAL.test(pattern))
      report(
        `context "adminPrincipals": "${pattern}" is not the ARN of an IAM user or role (* stands for any characters)`,
      );
  return patterns;
};

const readAccounts = (read: Read, report: Report): string[] => {
  const value = read('trustedAccounts') ?? [];
  const accounts = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map((part) => part.trim());
  for (const account of accounts)
    if (!/^\d{12}$/.test(account))
      report(`context "trustedAccounts": "${account}" is not the number of an AWS account`);
  return accounts;
};

const readExpressions = (read: Read, report: Report, key: string): string[] => {
  const value = read(key) ?? [];
  const expressions = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map((part) => part.trim());
  for (const expression of expressions) {
    try {
      new RegExp(expression);
    } catch (error) {
      report(`context "${key}": "${expression}" is not a regular expression: ${String(error)}`);
    }
    // They are handed on as a list.
    if (expression === '' || expression.includes(','))
      report(`context "${key}": "${expression}" is empty, or has a comma`);
  }
  return expressions;
};

/** Reads the settings from the construct tree's context. Throws one Error that lists every impossible value. */
export const readSettings = (node: Node): Settings => {
  const problems: string[] = [];
  const read: Read = (key) => node.tryGetContext(key);
  const report: Report = (problem) => problems.push(problem);
  const settings: Settings = {
    stackName: readName(read, report),
    sweepMinutes: readWhole(read, report, 'sweepMinutes', 5, [1, 60]),
    logRetention: readRetention(read, report),
    adminPrincipals: readPrincipals(read, report),
    trustedAccounts: readAccounts(read, report),
    syncMachineLabels: readExpressions(read, report, 'syncMachineLabels'),
    syncMachineAnnotations: readExpressions(read, report, 'syncMachineAnnotations'),
    assumableRoles: readAssumableRoles(read, report),
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return settings;
};
