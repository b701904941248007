import { TransientError } from '../errors.ts';
import { PAYLOAD_VERSION } from './payloads.ts';

/** Any payload; `version` is missing in those of version 1. */
export interface Versioned {
  version?: number;
}

/** Converts a payload of the version in the key to the next version. */
type Steps = Readonly<Record<number, (payload: object) => object>>;

/** Steps that had another name in version 1. */
const FORMER_STEPS: Readonly<Record<string, string>> = {
  network: 'foundation',
  natGateways: 'egress',
  loadBalancer: 'endpoint',
  deleteLoadBalancer: 'removeEndpoint',
  deleteNetwork: 'removeFoundation',
  registerTarget: 'attachEndpoint',
  deregisterTarget: 'detachEndpoint',
  vacateNode: 'drainNode',
};

const UPGRADES: Steps = {
  1: (payload) => {
    const { step } = payload as { step?: string };
    return step === undefined ? payload : { ...payload, step: FORMER_STEPS[step] ?? step };
  },
  // Version 3 added the payloads of pools and changed nothing else.
  2: (payload) => payload,
  // Version 4 added steps and changed no payload, but `confirmNode` has other results. A definition of version 3 would
  // take them for the end of the execution, and each pass would start another execution.
  3: (payload) => {
    const { step } = payload as { step?: string };
    return step === 'confirmNode' ? { ...payload, repeats: true } : payload;
  },
  // Version 5 combined steps of a pass and changed no payload. The steps that it combined still exist.
  4: (payload) => payload,
  // Version 6 added the step `outside` and changed no payload.
  5: (payload) => payload,
  // Version 7 checks the health of a control plane before its machines change. A pass by an earlier definition leaves
  // the change to the next one.
  6: (payload) => {
    const { step } = payload as { step?: string };
    return step === 'machines' || step === 'controlPlane' ? { ...payload, checked: false } : payload;
  },
  // Version 8 added steps after a failure of `machines` and changed no payload.
  7: (payload) => payload,
  // Version 9 added steps and a mode for passes whose infrastructure is not ready, and changed no payload.
  8: (payload) => payload,
};

/**
 * The payload in the form of this deployment. A definition of an earlier deployment sends the form of its time. A form
 * of a later deployment only occurs during a deployment or a rollback; it causes a Transient error, and the step is
 * retried.
 */
export const upgradePayload = <T extends Versioned>(
  payload: T,
  upgrades: Steps = UPGRADES,
  target = PAYLOAD_VERSION,
): T => {
  const { version = 1 } = payload;
  if (version > target)
    throw new TransientError(`the payload has version ${version}, and this function supports versions up to ${target}`);
  let current: object = payload;
  for (let known = version; known < target; known++) {
    const upgrade = upgrades[known];
    if (!upgrade) throw new Error(`there is no conversion from version ${known} of the payloads to the next`);
    current = { ...upgrade(current), version: known + 1 };
  }
  return current as T;
};
