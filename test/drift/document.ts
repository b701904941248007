/** docs/drift.md: what the test of all rows has seen, as a person reads it. Pure: the same outcomes give the same text. */
import {
  DRIFT_KINDS,
  DRIFT_POLICIES,
  type DriftKind,
  type DriftPolicy,
} from '../../shared/kinds/rules/drift-policy.ts';
import type { Outcome, Row } from './row.ts';

/** A row with what came of it. */
export interface Tried {
  row: Row;
  outcomes: readonly Outcome[];
}

const HEAD = `# Drift

What a person or another tool changes in the account behind Windlass is drift. What becomes of it is said by a policy for each kind, on the Cluster:

\`\`\`yaml
metadata:
  annotations:
    windlass.dev/on-drift: Report,SecurityGroupRules=Repair,InstanceStopped=Repair
\`\`\`

A word without a kind is for all kinds that may have it; a kind that is not named has its default. \`Repair\` makes the account as the objects say, \`Report\` says what differs and leaves it, \`Adopt\` changes the objects to what was found, where that can be said in them. A word that nobody understands is refused when the Cluster is applied. [Decision 21](decisions/0021-drift.md) has the reasons.

What can be adopted is what the objects have a field for, in which it says no more than was found: tags of an instance that are the user's (\`additionalTags\`), further security groups of an instance (\`additionalSecurityGroups\`), and rules for TCP or UDP that somebody added to the group of the control plane or of the nodes (\`network.additionalControlPlaneIngressRules\`, \`network.additionalNodeIngressRules\`). The groups and tags that make an instance the cluster's are set again all the same; rules that are missing, or cannot be said so, are reported. Where the manifests are applied from a repository, that has the last word: what it does not ask for goes when it is applied again. The rest has no such field. An AWSMachine's type, metadata options and state are fixed or not asked for at all; routes, gateways and DNS settings follow from the layout; \`ingressRules\` of a load balancer stand in the place of its own rules, so that one more would close the API for everybody else; a listener of \`additionalListeners\` has a target group of its own; a tag that is gone, and whose a VPC is, cannot be said.

A load balancer whose own DNS name is the endpoint of the cluster cannot be made again by anybody: AWS gives another name, and the machines and their certificates know the old one. The condition \`LoadBalancerReady\` says so; behind a name of the user's it is made again.

What is reported is in a condition as long as it is so, and in one event when it is found. What somebody brought (a VPC, a load balancer, a security group that is not the cluster's) is never changed.

A VPC is the cluster's by the tag \`sigs.k8s.io/cluster-api-provider-aws/cluster/<name>\`, and Cluster API's AWS provider counts it as the user's as soon as the tag is gone. Some take it away for that, so that it is only reported. All else goes on as before; but when the Cluster is deleted, the VPC and what is in it stay, unless the policy of \`VpcOwnership\` is \`Repair\`.

The Secrets of a cluster are objects of the API, so a pass checks them as soon as one is deleted. The kubeconfig is recreated. Key material that machines already trust is not: \`CertificatesAvailable\` of the control plane names the Secret that has to be restored. What a machine fetches at its boot it deletes permanently once it has: what somebody marks for deletion before, as the console does, is restored (\`BootstrapSecret\`). What somebody else deletes permanently before, or from the Parameter Store or a bucket, looks the same as what was fetched: it shows as a machine that does not become a node, which is for a MachineHealthCheck.

This page is written by the test that tries every row (\`test/drift\`), and that test fails when the page is not what it has seen. \`npm run docs\` writes it anew.
`;

const code = (text: string): string => `\`${text}\``;

const listed = (parts: readonly string[]): string => parts.join(', ');

const conditionsCell = ({ conditions }: Outcome): string =>
  conditions.length > 0 ? `condition${conditions.length > 1 ? 's' : ''} ${listed(conditions)}` : '';

const eventsCell = ({ events }: Outcome): string =>
  events.length > 0 ? `event${events.length > 1 ? 's' : ''} ${listed(events)}` : '';

const doneCell = ({ repaired }: Row, outcome: Outcome | undefined): string => {
  if (!outcome) return '';
  const done = outcome.policy === 'Repair' ? repaired : undefined;
  const parts = [done ?? '', listed(outcome.calls.map(code)), conditionsCell(outcome), eventsCell(outcome)];
  return parts.filter((part) => part !== '').join('; ');
};

const seenCell = (outcomes: readonly Outcome[]): string => (outcomes[0]?.isSwept ? 'sweep' : 'pass');

const tableRow = ({ row, outcomes }: Tried): string => {
  const of = (policy: DriftPolicy) =>
    doneCell(
      row,
      outcomes.find((outcome) => outcome.policy === policy),
    );
  return `| somebody ${row.what} | ${seenCell(outcomes)} | ${of('Repair')} | ${of('Report')} | ${row.isOnlyReported ? 'as `Report`' : of('Adopt')} |`;
};

const sectionOf = (kind: DriftKind, tried: readonly Tried[]): string => {
  const [first, ...others] = DRIFT_POLICIES[kind];
  const own = tried.filter(({ row }) => row.kind === kind);
  return [
    `## ${kind}`,
    '',
    `Policies: **\`${first}\`** (the default)${others.map((policy) => `, \`${policy}\``).join('')}.`,
    '',
    '| what happens | seen by | `Repair` | `Report` | `Adopt` |',
    '|---|---|---|---|---|',
    ...own.map(tableRow),
  ].join('\n');
};

const SEEN = `## How it is seen

The **sweep** is the function \`drift\`, which the schedule invokes (every five minutes, or as \`-c sweepMinutes=…\` says when the stack is deployed). A **pass** is one run of the workflow over a cluster: after every change of its objects, and whenever something else asks for one.

At once, without a sweep: changes of an instance's state, of which EC2 tells by itself; and where the account has a CloudTrail trail and the stack was deployed with \`-c apiCallEvents=true\`, every call that changes what a cluster's network or load balancers are made of, which asks for a pass over the cluster. \`npm start -- -c apiCallEvents=true\` has such a trail.

Instances, networks, load balancers and target groups are read in pages of the region, for all clusters at once. What AWS tells of each thing by itself only (DNS settings of a VPC; attributes, tags, listeners and targets of a load balancer), and the nodes, are looked at for twenty clusters a sweep in turn, and wherever the pages show a difference: in an installation of up to twenty clusters at every sweep, else every \`clusters / 20\` sweeps.
`;

/** The page. Throws where a kind of drift has no row. */
export const documentOf = (tried: readonly Tried[]): string => {
  const untried = DRIFT_KINDS.filter((kind) => !tried.some(({ row }) => row.kind === kind));
  if (untried.length > 0) throw new Error(`no row tries ${untried.join(', ')}`);
  return [HEAD, SEEN, ...DRIFT_KINDS.map((kind) => `${sectionOf(kind, tried)}\n`)].join('\n');
};
