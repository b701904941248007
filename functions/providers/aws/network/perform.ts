import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Ec2Network } from '../../../../shared/providers/aws/network/api.ts';
import { operationOf } from '../../../../shared/providers/aws/network/drivers.ts';
import type { NetworkAction } from '../../../../shared/providers/aws/network/model.ts';
import type { NetworkCall } from '../../../../shared/providers/aws/network/reasons.ts';
import { INTENT_TAG, type Tags } from '../../../../shared/providers/aws/tags.ts';
import type { Actor } from '../infrastructure/act.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

const perform = async (ec2: Ec2Network, action: NetworkAction): Promise<string> => {
  const { call, tell } = operationOf(action);
  const id = await call(ec2, action);
  return tell(action, typeof id === 'string' ? id : '');
};

/** Carries out network actions and records them on `regarding`. */
export const ec2Actor = (
  deps: Pick<NetworkDependencies, 'objects' | 'clock'>,
  ec2: Ec2Network,
  regarding: KubeObject,
): Actor<NetworkAction, NetworkCall> => ({
  perform: (action) => perform(ec2, action),
  reasonOf: (action) => operationOf(action).reason,
  recorder: recorder(deps),
  regarding,
});

/** A creation whose resource will have the token of its intent. */
export const withIntentTag = <T extends { tags: Tags }>(action: T, token: string): T => ({
  ...action,
  tags: { ...action.tags, [INTENT_TAG]: token },
});
