import { objectReference } from './codecs.ts';
import { seconds } from './duration.ts';
import { field, type Rule } from './rules.ts';

/** Rules that several kinds share. */

export const deletionRules: readonly Rule[] = [
  field('nodeDrainTimeout', 'deletion.nodeDrainTimeoutSeconds', seconds),
  field('nodeVolumeDetachTimeout', 'deletion.nodeVolumeDetachTimeoutSeconds', seconds),
  field('nodeDeletionTimeout', 'deletion.nodeDeletionTimeoutSeconds', seconds),
];

export const machineSpecRules: readonly Rule[] = [
  field('bootstrap.configRef', 'bootstrap.configRef', objectReference),
  field('infrastructureRef', 'infrastructureRef', objectReference),
  ...deletionRules,
];

/**
 * The two generations of conditions: each version has its own in the main place, and the other version's in a nested
 * one.
 */
export const conditionRules: readonly Rule[] = [
  field('status.conditions', 'status.deprecated.v1beta1.conditions'),
  field('status.v1beta2.conditions', 'status.conditions'),
];

export const failureRules: readonly Rule[] = [
  field('status.failureReason', 'status.deprecated.v1beta1.failureReason'),
  field('status.failureMessage', 'status.deprecated.v1beta1.failureMessage'),
];

/**
 * Counters with the same name have different meanings in the two versions, so they are not converted into each other.
 */
export const counterRules = (...old: readonly string[]): Rule[] => [
  ...old.map((name) => field(`status.${name}`, `status.deprecated.v1beta1.${name}`)),
  ...['readyReplicas', 'availableReplicas', 'upToDateReplicas'].map((name) =>
    field(`status.v1beta2.${name}`, `status.${name}`),
  ),
];

export const namingRule = field('spec.machineNamingStrategy', 'spec.machineNaming');
