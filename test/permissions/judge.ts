/** Asks a simulation of IAM what a role may do, and which of its statements allow it. */
import { runSimulation, runUnsafeSimulation, type Simulation } from '@cloud-copilot/iam-simulate';
import type { Question } from './requests.ts';
import type { Role, Statement } from './roles.ts';

export interface Verdict {
  allowed: boolean;
  /** The statements that allow it; empty if it is not allowed. */
  by: readonly Statement[];
}

const document = (statements: readonly Statement[]) => ({
  Version: '2012-10-17',
  Statement: statements.map((statement) => statement.document),
});

/** Resource policies by ARN, for resources whose policies IAM also evaluates. */
export type ResourcePolicies = ReadonlyMap<string, unknown>;

/** The simulation checks each question against AWS's list of actions, in which these resources are missing. */
const isUnlisted = ({ action, resource }: Question): boolean =>
  (/^elasticloadbalancing:(Add|Remove)Tags$/.test(action) && !resource.includes(':loadbalancer/')) ||
  // ARNs of public parameters contain no account.
  /^arn:aws:ssm:[\w-]+::parameter\/aws\/service\//.test(resource);

/**
 * The account whose policies IAM also evaluates, in addition to the caller's: that of a key, and of a resource with a
 * given policy. Resources that are shared with Resource Access Manager count as the account's own.
 */
const ownerOf = (caller: string, resource: string, policies: ResourcePolicies): string =>
  (resource.startsWith('arn:aws:kms:') || policies.has(resource) ? resource : caller).split(':')[4] ?? '';

const simulationOf = (
  { arn }: Role,
  { action, resource, context }: Question,
  statements: readonly Statement[],
  policies: ResourcePolicies,
): Simulation => ({
  request: {
    principal: arn,
    action,
    resource: { resource, accountId: ownerOf(arn, resource, policies) },
    contextVariables: { ...context },
  },
  identityPolicies: [{ name: 'role', policy: document(statements) }],
  resourcePolicy: policies.get(resource),
  serviceControlPolicies: [],
  resourceControlPolicies: [],
});

/** A question that is missing in AWS's list is not checked; only its result is returned. */
const judgeUnlisted = (
  role: Role,
  question: Question,
  candidates: readonly Statement[],
  policies: ResourcePolicies,
): Verdict => {
  const isAllowed = (statements: readonly Statement[]): boolean =>
    runUnsafeSimulation(simulationOf(role, question, statements, policies), {}) === 'Allowed';
  return { allowed: isAllowed(candidates), by: candidates.filter((statement) => isAllowed([statement])) };
};

/** Throws if the question is invalid: IAM has no such action, or the action does not support such a resource. */
export const judge = async (
  role: Role,
  question: Question,
  policies: ResourcePolicies = new Map(),
): Promise<Verdict> => {
  const { action, resource } = question;
  const candidates = role.statements.filter(({ actions }) => actions.includes(action));
  if (isUnlisted(question)) return judgeUnlisted(role, question, candidates, policies);
  const result = await runSimulation(simulationOf(role, question, candidates, policies), {});
  if (result.resultType !== 'single')
    throw new Error(`${action} on ${resource} cannot be judged: ${JSON.stringify(result)}`);
  const { overallResult, result: found } = result;
  if (overallResult !== 'Allowed') return { allowed: false, by: [] };
  // Statements are counted from 1. A separate question about each of them would take as long each time.
  const allowing = found.analysis.identityAnalysis?.allowStatements ?? [];
  return { allowed: true, by: allowing.flatMap(({ statement }) => candidates[statement.index() - 1] ?? []) };
};
