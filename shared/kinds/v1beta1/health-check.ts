import * as z from 'zod';
import { flag, intOrString, list, options, struct, text } from '../schema/fields.ts';
import { QUALIFIED_NAME } from '../schema/names.ts';
import { templateReference } from './codecs.ts';
import { seconds } from './duration.ts';
import { field, items, type Rule } from './rules.ts';
import { duration, reference } from './schema.ts';

/** When machines count as broken: in MachineHealthChecks, in topologies and in ClusterClasses. */
export const checkFields = () => ({
  unhealthyConditions: list(struct({ type: z.string().min(1), status: z.string().min(1), timeout: duration() }, {}), {
    max: 100,
  }),
  unhealthyMachineConditions: list(
    struct(
      { type: text(1, 316, QUALIFIED_NAME), status: z.enum(['True', 'False', 'Unknown']), timeout: duration() },
      {},
    ),
    { min: 1, max: 100 },
  ),
  maxUnhealthy: intOrString,
  unhealthyRange: text(1, 32, '^\\[[0-9]+-[0-9]+\\]$'),
  nodeStartupTimeout: duration(),
  remediationTemplate: reference(),
});

export const topologyHealthCheck = () => options({ enable: flag, ...checkFields() });

const timeout = items([field('timeout', 'timeoutSeconds', seconds)]);

export const checkRules: readonly Rule[] = [
  field('unhealthyConditions', 'checks.unhealthyNodeConditions', timeout),
  field('unhealthyMachineConditions', 'checks.unhealthyMachineConditions', timeout),
  field('nodeStartupTimeout', 'checks.nodeStartupTimeoutSeconds', seconds),
  field('maxUnhealthy', 'remediation.triggerIf.unhealthyLessThanOrEqualTo'),
  field('unhealthyRange', 'remediation.triggerIf.unhealthyInRange'),
  field('remediationTemplate', 'remediation.templateRef', templateReference),
];

export const topologyCheckRules: readonly Rule[] = [...checkRules, field('enable', 'enabled')];
