import * as z from 'zod';
import { UPGRADE_PATH, validatePath } from '../../kinds/rules/bootstrap/upgrade-path.ts';
import { CLOUD_CONTROLLER, validateCloudController } from '../../kinds/rules/cloud-controller.ts';
import { ON_DRIFT, validateDriftPolicies } from '../../kinds/rules/drift-policy.ts';
import { NOTICE_POLICY } from '../../kinds/rules/notice-policy.ts';
import { outsideParts, RECONCILED_OUTSIDE } from '../../kinds/rules/outside-parts.ts';
import { PROVIDER_WISHES } from '../../kinds/rules/provider-wishes.ts';
import { REPORT_CHANGES, validateReportChanges } from '../../kinds/rules/report-changes.ts';
import { one, type Wish, type Wishes } from '../../kinds/rules/wish.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { ANNOTATION } from '../labels.ts';
import { OK_TO_DELETE, PENDING_HOOKS } from '../topology/hooks/memory.ts';

/** A setting that a rule of the kinds checks on the complete object. */
const judgedBy = (
  name: string,
  rule: (object: { metadata: { name: string; annotations: Record<string, string> } }) => FieldError[],
) =>
  z.string().superRefine((value, context) => {
    for (const { detail } of rule({ metadata: { name: '', annotations: { [name]: value } } })) context.addIssue(detail);
  });

const CONTROL_PLANES = ['KubeadmControlPlane', 'RKE2ControlPlane'] as const;

const noticePolicy: Wish = {
  kinds: ['Machine', 'MachineSet', 'MachineDeployment', ...CONTROL_PLANES],
  schema: one('Replace', 'Report'),
};

/**
 * All our annotations for user settings: where each is read, and its valid values. Annotations outside this table are
 * not for users (controllers-own.ts). docs/annotations.md has the same table for readers; a test compares the two.
 */
export const WISHES: Wishes = {
  [ON_DRIFT]: { kinds: ['Cluster'], schema: judgedBy(ON_DRIFT, validateDriftPolicies) },
  [NOTICE_POLICY.RebalanceRecommendation]: noticePolicy,
  [NOTICE_POLICY.ScheduledMaintenance]: noticePolicy,
  [UPGRADE_PATH]: { kinds: CONTROL_PLANES, schema: judgedBy(UPGRADE_PATH, validatePath) },
  [ANNOTATION.nodeInitialization]: { kinds: ['Cluster'], schema: one('Enabled', 'Disabled') },
  [CLOUD_CONTROLLER]: { kinds: ['Cluster'], schema: judgedBy(CLOUD_CONTROLLER, validateCloudController) },
  [REPORT_CHANGES]: { kinds: ['Cluster'], schema: judgedBy(REPORT_CHANGES, validateReportChanges) },
  [ANNOTATION.infrastructureManagedBy]: { kinds: ['Cluster'], schema: z.string() },
  [RECONCILED_OUTSIDE]: { kinds: ['Cluster'], schema: outsideParts },
  [ANNOTATION.reconcileRequestedAt]: {
    kinds: ['Cluster'],
    schema: z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' }),
  },
  [ANNOTATION.adopting]: { kinds: ['Cluster'], schema: one('Unpause', 'StayPaused') },
  ...PROVIDER_WISHES,
};

/** Annotations of Cluster API that record the hooks of a cluster. */
const REMEMBERED: readonly string[] = [PENDING_HOOKS, OK_TO_DELETE];

/** Whether a key is in a domain that Windlass reserves for itself. */
export const isReserved = (key: string): boolean => /^(intent\.)?windlass\.dev\//.test(key) || REMEMBERED.includes(key);

/**
 * The annotations that objects copy from the metadata of a template or of their owner: of Windlass's own, only user
 * settings. Otherwise a template could set something in an object that only controllers may set there.
 */
export const ofTemplate = (given: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(given ?? {}).filter(([key]) => !isReserved(key) || key in WISHES));
