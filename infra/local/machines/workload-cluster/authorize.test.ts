import { describe, expect, it } from 'vitest';
import { makeAuthorize } from './authorize.ts';

const authorize = makeAuthorize(async () => ['kubeadm:cluster-admins']);

const ANONYMOUS = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const TOKEN = { name: 'system:bootstrap:aaaaaa', groups: ['system:bootstrappers', 'system:authenticated'] };
const NODE = { name: 'system:node:a', groups: ['system:nodes', 'system:authenticated'] };
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const BOUND = { name: 'kubernetes-admin', groups: ['kubeadm:cluster-admins', 'system:authenticated'] };
const UNBOUND = { name: 'kubernetes-admin', groups: ['others', 'system:authenticated'] };
const FALSE_NODE = { name: 'a', groups: ['system:nodes', 'system:authenticated'] };

const clusterInfo = { verb: 'get', resource: 'configmaps', namespace: 'kube-public', name: 'cluster-info' };
const kubeadmConfig = { verb: 'get', resource: 'configmaps', namespace: 'kube-system', name: 'kubeadm-config' };

describe('authorize', () => {
  it.each([
    { who: ANONYMOUS, asks: clusterInfo, is: true },
    { who: ANONYMOUS, asks: { ...clusterInfo, verb: 'list', name: undefined }, is: false },
    { who: ANONYMOUS, asks: { ...clusterInfo, namespace: 'default' }, is: false },
    { who: ANONYMOUS, asks: { verb: 'get', path: '/readyz' }, is: true },
    { who: ANONYMOUS, asks: { verb: 'get', path: '/apis' }, is: false },
    { who: ANONYMOUS, asks: { verb: 'list', resource: 'nodes' }, is: false },
    { who: TOKEN, asks: kubeadmConfig, is: true },
    { who: TOKEN, asks: { ...kubeadmConfig, verb: 'update' }, is: false },
    { who: TOKEN, asks: { verb: 'get', resource: 'secrets', namespace: 'kube-system', name: 'x' }, is: false },
    {
      who: TOKEN,
      asks: { verb: 'create', group: 'certificates.k8s.io', resource: 'certificatesigningrequests' },
      is: true,
    },
    { who: TOKEN, asks: { verb: 'create', resource: 'nodes' }, is: false },
    { who: NODE, asks: { verb: 'patch', resource: 'nodes', subresource: 'status', name: 'a' }, is: true },
    { who: NODE, asks: { verb: 'patch', resource: 'nodes', subresource: 'status', name: 'b' }, is: false },
    { who: NODE, asks: { verb: 'create', resource: 'secrets', namespace: 'kube-system' }, is: false },
    { who: FALSE_NODE, asks: { verb: 'list', resource: 'nodes' }, is: false },
    { who: NODE, asks: { verb: 'get', path: '/openapi/v2' }, is: true },
    { who: NODE, asks: { verb: 'get', path: '/metrics' }, is: false },
    { who: ADMIN, asks: { verb: 'deletecollection', resource: 'secrets', namespace: 'kube-system' }, is: true },
    { who: BOUND, asks: { verb: 'list', resource: 'secrets' }, is: true },
    { who: UNBOUND, asks: { verb: 'list', resource: 'secrets' }, is: false },
  ])('$who.name: $asks → $is', async ({ who, asks, is }) => {
    expect(await authorize(who, asks)).toBe(is);
  });
});
