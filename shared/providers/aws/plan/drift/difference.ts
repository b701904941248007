import type { InstanceMetadataOptionsRequest } from '@aws-sdk/client-ec2';
import type { AWSCluster } from '../../../../kinds/index.ts';
import type { DriftKind, DriftPolicy } from '../../../../kinds/rules/drift-policy.ts';
import type { Tags } from '../../tags.ts';
import type { KnownMachine } from './states.ts';

/** EC2's data about an instance in a list. */
export interface ListedInstance {
  state: string;
  type: string;
  imageId?: string;
  tags: Tags;
  /** The client token of the call that launched it. */
  clientToken?: string;
  /** RFC 3339. */
  launchedAt?: string;
  interfaces?: readonly { id: string; description: string; groups: readonly string[] }[];
  /** The volumes that were created with it and are deleted with it. */
  volumes?: readonly string[];
  /** Options with EC2's names, each as text. */
  metadata?: Readonly<Record<string, string>>;
}

/** A machine whose cluster is recorded with its infrastructure. */
export interface PlacedMachine extends KnownMachine {
  awsCluster: AWSCluster;
}

/** A network interface and its security groups. */
export interface InterfaceGroups {
  id: string;
  groups: readonly string[];
}

/** A change of a machine's own tags. */
export interface TagChange {
  set: Tags;
  gone: readonly string[];
}

type Repair =
  | { call: 'StartInstances' }
  | { call: 'CreateTags'; tags: Tags }
  | {
      call: 'SetGroups';
      interfaces: readonly InterfaceGroups[];
      /** The groups of the machine, which must be recorded. */
      applied: readonly string[];
    }
  | { call: 'SetMetadataOptions'; options: Required<InstanceMetadataOptionsRequest> }
  | {
      call: 'ApplyTags';
      /** For the volumes; the instance's own tags are compared with EC2's list. */
      set: Tags;
      gone: readonly string[];
      volumeIds: readonly string[];
      applied: Tags;
    }
  | { call: 'AdoptGroups'; groupIds: readonly string[]; applied: readonly string[] }
  | { call: 'RestoreSecrets'; names: readonly string[] }
  | { call: 'ReplaceMachine' }
  | ({ call: 'AdoptTags' } & TagChange);

/** A difference between an instance and its machine, and what is done about it. */
export interface InstanceDrift {
  known: PlacedMachine;
  instanceId: string;
  kind: DriftKind;
  policy: DriftPolicy;
  /** A sentence, without its full stop, about the difference. */
  message: string;
  /** Undefined if the difference is only reported. */
  repair?: Repair;
}

/** A difference that is not assigned to an instance yet. */
export type Difference = Omit<InstanceDrift, 'known' | 'instanceId'>;
