/** docs/drift.md: the results of the test of all rows, as a page. Pure: the same results give the same text. */
import {
  DRIFT_KINDS,
  DRIFT_POLICIES,
  type DriftKind,
  type DriftPolicy,
} from '../../shared/kinds/rules/drift-policy.ts';
import type { Outcome, Row } from './row.ts';

/** A row with its results. */
export interface Tried {
  row: Row;
  outcomes: readonly Outcome[];
}

const HEAD = `# Drift

Drift is a change that a person or another tool makes, in the account, to resources that Windlass manages. The annotation \`windlass.dev/on-drift\` of the Cluster sets a policy for each kind of drift:

\`\`\`yaml
metadata:
  annotations:
    windlass.dev/on-drift: Report,SecurityGroupRules=Repair,InstanceStopped=Repair
\`\`\`

| policy | effect |
|---|---|
| \`Repair\` | restores the account to what the objects specify |
| \`Report\` | reports the difference and leaves it: in a condition as long as the difference exists, and in one event when it is found |
| \`Adopt\` | changes the objects to what was found, if [they can express it](#what-can-be-adopted) |

A policy without a kind, such as \`Report\` above, applies to all kinds that support it. Kinds that are not listed have their default. Unknown words are refused when the Cluster is applied. [Decision 21](decisions/0021-drift.md) has the reasons.

The test that tries every row (\`test/drift\`) generates this page, and fails if the page differs from its results. \`npm run docs\` updates it.
`;

const LIMITS = `## What can be adopted

A difference can be adopted if a field of the objects expresses exactly what was found:

- the user's own tags of an instance: \`additionalTags\`;
- additional security groups of an instance: \`additionalSecurityGroups\`;
- TCP or UDP rules that were added to the security group of the control plane or of the nodes: \`network.additionalControlPlaneIngressRules\`, \`network.additionalNodeIngressRules\`.

The groups and tags by which an instance belongs to the cluster are still restored. Rules that are missing, or that the fields cannot express, are reported. If the manifests are applied from a repository, the next apply removes what the repository does not contain.

Nothing else can be adopted. The type, metadata options and state of an AWSMachine are immutable or not part of its spec; routes, gateways and DNS settings follow from the layout of the network. \`ingressRules\` of a load balancer replace its default rules, so adopting an added rule would close the API to everyone else. A listener of \`additionalListeners\` has its own target group. No field can express that a tag is missing, or who owns a VPC.

## What is not repaired

- **A user's own resources** (a VPC, a load balancer, a security group that is not the cluster's) are never changed.
- **A load balancer whose own DNS name is the cluster's endpoint** cannot be recreated: AWS assigns a new name, but the machines and their certificates use the old one. The condition \`LoadBalancerReady\` reports this. If the endpoint is a name of the user's, the load balancer is recreated.
- **An instance without a Machine that was launched for the control plane** is reported under every policy: it may be a member of etcd, and terminating it could cost the quorum.
- **The tag \`sigs.k8s.io/cluster-api-provider-aws/cluster/<name>\` of a VPC** makes the VPC the cluster's. Cluster API's AWS provider treats the VPC as the user's as soon as the tag is gone, and some users remove it for that purpose, so its removal is only reported by default. Everything else continues as before, but when the Cluster is deleted, the VPC and its contents stay, unless the policy of \`VpcOwnership\` is \`Repair\`.
- **Key material that machines already trust** is not recreated: \`CertificatesAvailable\` of the control plane names the Secret that has to be restored. A deleted kubeconfig is recreated. A deleted Secret is found at once, because Secrets are objects of the API.
- **Bootstrap data that was deleted permanently before its machine fetched it**, or deleted from the Parameter Store or a bucket, looks as if it had been fetched: the machine does not become a node, and a MachineHealthCheck can replace it. Data that is only marked for deletion, as the console does, is restored (\`BootstrapSecret\`).
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
  return `| someone ${row.what} | ${seenCell(outcomes)} | ${of('Repair')} | ${of('Report')} | ${row.isOnlyReported ? 'as `Report`' : of('Adopt')} |`;
};

const sectionOf = (kind: DriftKind, tried: readonly Tried[]): string => {
  const [first, ...others] = DRIFT_POLICIES[kind];
  const own = tried.filter(({ row }) => row.kind === kind);
  return [
    `## ${kind}`,
    '',
    `Policies: **\`${first}\`** (the default)${others.map((policy) => `, \`${policy}\``).join('')}.`,
    '',
    '| change | detected by | `Repair` | `Report` | `Adopt` |',
    '|---|---|---|---|---|',
    ...own.map(tableRow),
  ].join('\n');
};

const SEEN = `## Detection

The **sweep** is the function \`drift\`, which the schedule invokes (every five minutes, or the interval set with \`-c sweepMinutes=…\` at deployment). A **pass** is one reconciliation of a cluster: after every change of its objects, and whenever something else requests one.

Two kinds of changes are detected immediately, without a sweep. EC2 sends changes of an instance's state as events. If the account has a CloudTrail trail and the stack was deployed with \`-c apiCallEvents=true\`, every call that changes and names a resource of a cluster's network or load balancers starts a pass. (\`DisassociateRouteTable\` names only the association.) \`npm start -- -c apiCallEvents=true\` simulates such a trail.

Instances, networks, load balancers and target groups are read in pages of the region, for all clusters together. What AWS returns only for one resource at a time (DNS settings of a VPC; attributes, tags, listeners and targets of a load balancer), the nodes, and the control plane pods, are checked for twenty clusters per sweep, in turn, and wherever the pages show a difference: in an installation of up to twenty clusters at every sweep, otherwise every \`clusters / 20\` sweeps. If several functions share a sweep (\`sweepShards\`), each of them checks twenty of its own.

A node that is no longer ready, and a control plane pod that fails, are not drift. The sweep requests a pass, which reports them in the conditions of the Machine and of the control plane.

If too many instances look lost or too many nodes are not ready at the same time, the fleet brake engages: the sweep repairs nothing in the affected namespaces until the numbers fall ([decision 71](decisions/0071-the-fleet-brake.md)).

A namespace whose objects take too much of the function's memory is skipped: nothing in it is compared, repaired, terminated or counted, until the first sweep of an hour finds that it takes less. The Namespace has the condition \`windlass.dev/PassedOver\` and an event \`NamespaceTooLarge\`, and the alarm \`sweep-suspended\` fires ([decision 96](decisions/0096-memory-of-the-sweep.md)).
`;

/** The page. Throws if a kind of drift has no row. */
export const documentOf = (tried: readonly Tried[]): string => {
  const untried = DRIFT_KINDS.filter((kind) => !tried.some(({ row }) => row.kind === kind));
  if (untried.length > 0) throw new Error(`no row tries ${untried.join(', ')}`);
  return [HEAD, SEEN, LIMITS, ...DRIFT_KINDS.map((kind) => `${sectionOf(kind, tried)}\n`)].join('\n');
};
