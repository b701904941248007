import type { Cluster, Machine, MachineDrainRule } from '../../kinds/index.ts';
import { selects } from '../../kinds/rules/kubernetes/label-selector.ts';
import type { LabelSelector } from '../../kinds/schema/meta.ts';

type Labels = Readonly<Record<string, string>> | undefined;

/** An absent selector selects everything, as an empty one does. */
const isSelected = (selector: LabelSelector | undefined, labels: Labels): boolean =>
  selector === undefined || selects(selector, labels);

/** The rules for a machine, by name. Of several rules that match a pod, the first one applies. */
export const rulesFor = (
  rules: readonly MachineDrainRule[],
  machine: Machine,
  cluster: Cluster,
): readonly MachineDrainRule[] =>
  rules
    .filter(
      ({ spec: { machines = [] } }) =>
        machines.length === 0 ||
        machines.some(
          ({ selector, clusterSelector }) =>
            isSelected(selector, machine.metadata.labels) && isSelected(clusterSelector, cluster.metadata.labels),
        ),
    )
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));

/** The rule for a pod with these labels in a namespace with those labels; undefined if there is none. */
export const ruleOf = (
  rules: readonly MachineDrainRule[],
  pod: Labels,
  namespace: Labels,
): MachineDrainRule | undefined =>
  rules.find(
    ({ spec: { pods = [] } }) =>
      pods.length === 0 ||
      pods.some(
        ({ selector, namespaceSelector }) => isSelected(selector, pod) && isSelected(namespaceSelector, namespace),
      ),
  );
