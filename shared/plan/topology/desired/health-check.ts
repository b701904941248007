import { defaultMachineHealthCheck } from '../../../kinds/machine-health-check/defaults.ts';
import type { MachineHealthCheck } from '../../../kinds/machine-health-check/schema.ts';
import type { HealthChecks, Remediation } from '../../../kinds/schema/health-check.ts';
import { withoutUndefined } from '../../../kube-api/json.ts';
import { type Blueprint, ownedBy, TOPOLOGY_LABEL } from '../objects.ts';

interface Check {
  enabled?: boolean | undefined;
  checks?: HealthChecks | undefined;
  remediation?: Remediation | undefined;
}

const isDefined = (check: Check | undefined): check is Check =>
  check?.checks !== undefined || check?.remediation !== undefined;

/**
 * The check of the topology, which completely replaces that of the class; undefined if there is none or if it is
 * disabled.
 */
const chosen = (ofTopology: Check | undefined, ofClass: Check | undefined): Check | undefined => {
  if (!isDefined(ofTopology) && !isDefined(ofClass)) return undefined;
  if (ofTopology?.enabled === false) return undefined;
  return isDefined(ofTopology) ? ofTopology : ofClass;
};

/**
 * The MachineHealthCheck for machines with these labels, with the name of their control plane or MachineDeployment
 * (computeMachineHealthCheck); undefined if neither the class nor the topology has one.
 */
export const healthCheckFor = (
  target: string,
  matchLabels: Record<string, string>,
  { cluster }: Blueprint,
  ofTopology: Check | undefined,
  ofClass: Check | undefined,
): MachineHealthCheck | undefined => {
  const check = chosen(ofTopology, ofClass);
  if (!check) return undefined;
  const { triggerIf, templateRef } = check.remediation ?? {};
  const remediation = triggerIf || templateRef ? withoutUndefined({ triggerIf, templateRef }) : undefined;
  const { name, namespace = '' } = cluster.metadata;
  return withoutUndefined(
    defaultMachineHealthCheck({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: {
        name: target,
        namespace,
        labels: { [TOPOLOGY_LABEL.owned]: '' },
        ownerReferences: [ownedBy(cluster)],
      },
      spec: {
        clusterName: name,
        selector: { matchLabels },
        ...(check.checks ? { checks: check.checks } : {}),
        ...(remediation ? { remediation } : {}),
      },
    } as MachineHealthCheck),
  );
};
