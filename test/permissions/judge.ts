/** Asks a simulation of IAM what a role may do, and which of its grants said so. */
import { runSimulation, runUnsafeSimulation, type Simulation } from '@cloud-copilot/iam-simulate';
import type { Question } from './requests.ts';
import type { Role, Statement } from './roles.ts';

export interface Verdict {
  allowed: boolean;
  /** The statements that would allow it on their own. */
  by: readonly Statement[];
}

const document = (statements: readonly Statement[]) => ({
  Version: '2012-10-17',
  Statement: statements.map((statement) => statement.document),
});

/** Policies of resources by their ARNs, where IAM asks those as well. */
export type ResourcePolicies = ReadonlyMap<string, unknown>;

/** The simulation checks each question by AWS's list of actions, which does not know these resources of theirs. */
const isUnlisted = ({ action, resource }: Question): boolean =>
  (/^elasticloadbalancing:(Add|Remove)Tags$/.test(action) && !resource.includes(':loadbalancer/')) ||
  // Public parameters are in no account.
  /^arn:aws:ssm:[\w-]+::parameter\/aws\/service\//.test(resource);

/**
 * Whose policies IAM asks besides the caller's: those of another account for its keys. What an account shares by Resource
 * Access Manager is used as if it were one's own.
 */
const ownerOf = (caller: string, resource: string): string =>
  (resource.startsWith('arn:aws:kms:') ? resource : caller).split(':')[4] ?? '';

const simulationOf = (
  { arn }: Role,
  { action, resource, context }: Question,
  statements: readonly Statement[],
  policies: ResourcePolicies,
): Simulation => ({
  request: {
    principal: arn,
    action,
    resource: { resource, accountId: ownerOf(arn, resource) },
    contextVariables: { ...context },
  },
  identityPolicies: [{ name: 'role', policy: document(statements) }],
  resourcePolicy: policies.get(resource),
  serviceControlPolicies: [],
  resourceControlPolicies: [],
});

const isAllowed = async (
  role: Role,
  question: Question,
  statements: readonly Statement[],
  policies: ResourcePolicies,
): Promise<boolean> => {
  const simulation = simulationOf(role, question, statements, policies);
  if (isUnlisted(question)) return runUnsafeSimulation(simulation, {}) === 'Allowed';
  const result = await runSimulation(simulation, {});
  if (result.resultType !== 'single')
    throw new Error(`${question.action} on ${question.resource} cannot be judged: ${JSON.stringify(result)}`);
  return result.overallResult === 'Allowed';
};

/** Throws where the question is none that IAM could be asked: no such action, or one that knows no such resource. */
export const judge = async (
  role: Role,
  question: Question,
  policies: ResourcePolicies = new Map(),
): Promise<Verdict> => {
  const { action } = question;
  const candidates = role.statements.filter(({ actions }) => actions.includes(action));
  const by: Statement[] = [];
  for (const statement of candidates) if (await isAllowed(role, question, [statement], policies)) by.push(statement);
  return { allowed: await isAllowed(role, question, candidates, policies), by };
};
