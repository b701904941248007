import type { BootstrapConfig, BootstrapConfigTemplate, ControlPlane } from '../../kinds/contract-objects.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import type { Naming } from '../names.ts';

/** Machine conditions that determine the health of a control plane: all of them gate each of its changes. */
export interface HealthConditions {
  components: readonly string[];
  /** Additional requirements for a node of the control plane; gates only the readiness of machines. */
  node?: readonly string[];
  /** Empty if etcd is not on these machines. */
  etcd: readonly string[];
}

/** When machines are replaced although their spec has not changed. */
export interface RolloutDates {
  /** Days before their certificates expire. */
  certificatesExpiryDays?: number;
  /** RFC 3339: replaces all older machines. */
  after?: string;
}

/** The part of a distribution that the planners need: how its machines are created, compared and evaluated. */
export interface DistributionRules {
  readonly controlPlane: ResourceDefinition<ControlPlane>;
  readonly config: ResourceDefinition<BootstrapConfig>;
  readonly configTemplate: ResourceDefinition<BootstrapConfigTemplate>;

  rolloutDates(controlPlane: ControlPlane): RolloutDates;
  healthConditions(controlPlane: ControlPlane): HealthConditions;

  /** The control plane's own names for its machines, if it has a template for them; absent otherwise. */
  naming?(controlPlane: ControlPlane, clusterName: string): Naming | undefined;

  /** Spec of the bootstrap configuration of a control plane machine. */
  configSpecOf(controlPlane: ControlPlane): object | undefined;
  /** Whether a machine of such a spec is up to date with the control plane; absent if the whole spec is compared. */
  isSameConfig?(spec: object | undefined, controlPlane: ControlPlane): boolean;
  /** Marks on control plane machines, which reveal changes that are not in their configuration. */
  machineAnnotations?(controlPlane: ControlPlane): Readonly<Record<string, string>>;
}
