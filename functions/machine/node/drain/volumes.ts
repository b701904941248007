import { nextLook } from '../../../../shared/plan/drain/pace.ts';
import { isDetachWanted } from '../../../../shared/plan/drain/stages.ts';
import {
  attachedTo,
  claimsOfSkipped,
  type VolumesLeft,
  volumesLeft,
  volumesMessage,
} from '../../../../shared/plan/drain/volumes.ts';
import type { WorkloadClient } from '../../../../shared/workload/client.ts';
import { recorder } from '../reasons.ts';
import { DrainError, whyNot } from './drain-error.ts';
import { begin, type Look, report, type Stage, startOf, withWorkload } from './look.ts';
import { ownNode } from './own-node.ts';
import { readVerdicts } from './pods.ts';

const START = 'waitForNodeVolumeDetachStartTime';

/** Volumes that are still attached to the node. Undefined if there are none, or if no controller could detach them. */
const left = async (look: Look, client: WorkloadClient, nodeName: string): Promise<VolumesLeft | undefined> => {
  const { drain } = client;
  const [node, attached] = await Promise.all([ownNode(look, client, nodeName), drain.attachedVolumes()]);
  // An unresponsive kubelet detaches nothing.
  if (!node || node.unreachable) return undefined;
  const held = attachedTo(node, attached);
  const inline = held.find(({ volume }) => volume === undefined);
  if (inline) throw new DrainError(`VolumeAttachment ${inline.name} names no PersistentVolume`);
  if (held.length + node.volumes.length === 0) return undefined;
  const [verdicts, volumes] = await Promise.all([readVerdicts(look, drain, nodeName), drain.persistentVolumes()]);
  return volumesLeft({ node, attached, volumes, ignoredClaims: claimsOfSkipped(verdicts) });
};

/** Waits until the node has no volumes any more, unless the wait is excluded or its time is over. */
export const volumesStage: Stage = async (look) => {
  const { deps, snapshot } = look;
  if (!isDetachWanted(look.machine, snapshot.infrastructureMachine?.object ?? null, deps.clock.now())) return undefined;
  const nodeName = look.machine.status?.nodeRef?.name ?? '';
  const startedAt = startOf(look, START);
  const wait = async (message: string) => {
    await report(look, START, { reason: 'WaitingForVolumeDetach', message });
    return nextLook(startedAt, look.machine.spec.deletion?.nodeVolumeDetachTimeoutSeconds, deps.clock.now());
  };
  try {
    const volumes = await withWorkload(look, (client) => left(look, client, nodeName));
    if (volumes) return wait(volumesMessage(volumes, startedAt));
  } catch (error) {
    const why = whyNot(error);
    if (why === undefined) throw error;
    const message = `error waiting for node volumes detaching, Machine's node "${nodeName}": ${why}`;
    await recorder(deps).warning(look.machine, 'FailedWaitForVolumeDetach', message);
    return wait(`Error waiting for volumes to be detached from Node: ${why}`);
  }
  if (look.machine.status?.deletion?.[START]) {
    const message = `success waiting for node volumes detaching Machine's node "${nodeName}"`;
    await recorder(deps).normal(look.machine, 'NodeVolumesDetached', message);
  } else {
    await begin(look, START);
  }
  return undefined;
};
