import type { InstanceMetadataOptionsRequest } from '@aws-sdk/client-ec2';
import type { AWSCluster } from '../../../../kinds/index.ts';
import type { DriftKind, DriftPolicy } from '../../../../kinds/rules/drift-policy.ts';
import type { Tags } from '../../tags.ts';
import type { KnownMachine } from './states.ts';

/** What EC2 lists of an instance. */
export interface ListedInstance {
  state: string;
  type: string;
  imageId?: string;
  tags: Tags;
  /** Of the call that launched it. */
  clientToken?: string;
  /** RFC 3339. */
  launchedAt?: string;
  interfaces?: readonly { id: string; description: string; groups: readonly string[] }[];
  /** Those that were made with it and go with it. */
  volumes?: readonly string[];
  /** As EC2 names them, each as text. */
  metadata?: Readonly<Record<string, string>>;
}

/** A machine whose cluster is on record with its infrastructure. */
export interface PlacedMachine extends KnownMachine {
  awsCluster: AWSCluster;
}

/** A network interface and its security groups. */
export interface InterfaceGroups {
  id: string;
  groups: readonly string[];
}

type Repair =
  | { call: 'StartInstances' }
  | { call: 'CreateTags'; tags: Tags }
  | {
      call: 'SetGroups';
      interfaces: readonly InterfaceGroups[];
      /** Those of the machine, to be recorded. */
      applied: readonly string[];
    }
  | { call: 'SetMetadataOptions'; options: Required<InstanceMetadataOptionsRequest> }
  | {
      call: 'ApplyTags';
      /** For the volumes; the instance's own are compared with what EC2 lists. */
      set: Tags;
      gone: readonly string[];
      volumeIds: readonly string[];
      applied: Tags;
    }
  | { call: 'AdoptGroups'; groupIds: readonly string[]; applied: readonly string[] }
  | { call: 'RestoreSecrets'; names: readonly string[] }
  | { call: 'ReplaceMachine' }
  | { call: 'AdoptTags'; additionalTags: Tags };

/** A difference between an instance and its machine, and what is done about it. */
export interface InstanceDrift {
  known: PlacedMachine;
  instanceId: string;
  kind: DriftKind;
  policy: DriftPolicy;
  /** What is different, as a sentence without its end. */
  message: string;
  /** Undefined if it is only reported. */
  repair?: Repair;
}

/** A difference that is not yet reported for an instance. */
export type Difference = Omit<InstanceDrift, 'known' | 'instanceId'>;
