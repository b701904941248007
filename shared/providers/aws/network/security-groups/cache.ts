import { addTo, changeIn } from '../cached-lists.ts';
import type { DriverCache } from '../driver.ts';
import type { IngressPermission } from './model.ts';

const withRules = (before: readonly IngressPermission[], added: readonly IngressPermission[]) => {
  const keys = new Set(added.map((one) => JSON.stringify(one)));
  return [...before.filter((one) => !keys.has(JSON.stringify(one))), ...added];
};

export const securityGroupCache: DriverCache = {
  reads: ['describeSecurityGroups'],
  invalidates: { revokeIngress: ['describeSecurityGroups'], revokeEgressToGroups: ['describeSecurityGroups'] },
  updates: {
    createSecurityGroup: (known, id, { vpcId, name, tags }) => {
      const rules = { ingress: [], hasEgress: true, egressGroupIds: [] };
      addTo(known, 'describeSecurityGroups', { id, vpcId, name, tags, ...rules });
    },
    authorizeIngress: (known, _, groupId, permissions) =>
      changeIn(known, 'describeSecurityGroups', groupId, (group) => ({
        ...group,
        ingress: withRules(group.ingress, permissions),
      })),
  },
};
