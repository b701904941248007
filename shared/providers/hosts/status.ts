import type { Host, HostMachine } from '../../kinds/index.ts';
import { type LegacyClaim, withLegacyCondition } from '../../plan/status/legacy-conditions.ts';

type Claim = Omit<LegacyClaim, 'type'>;

/** The reason of HostReady if a user must correct something. */
export const PROVISION_FAILED = 'HostProvisionFailed';

/** Reports the progress of a machine's host on the machine. */
export const withHostReady = (machine: HostMachine, claim: Claim, now: Date): HostMachine =>
  withLegacyCondition(machine, { type: 'HostReady', ...claim }, now);

/** Reports on a host whether it could be used at the last connection. */
export const withReachable = (host: Host, problem: { reason: string; message: string } | undefined, now: Date): Host =>
  withLegacyCondition(
    host,
    problem
      ? { type: 'Reachable', status: 'False', severity: 'Error', ...problem }
      : { type: 'Reachable', status: 'True' },
    now,
  );
