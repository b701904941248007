import { expect, it } from 'vitest';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { recordBreaches } from './records.ts';
import { testAccount, withInstance, withVpc } from './test-account.ts';

const GONE = 'i-00000000000000001';
const machine = (id: string, more: object = {}) => ({
  object: {
    ...{ apiVersion: 'v1', kind: 'AWSMachine', metadata: { name: 'a' } },
    ...{ spec: { instanceID: id, providerID: `aws:///us-east-1a/${id}`, ami: { id: 'ami-00000000000000001' } } },
    ...more,
  } as KubeObject,
});

it('an id that nothing in the account has is a violation, and is reported once', () => {
  const account = testAccount();
  const { id } = withInstance(account, {});
  expect(recordBreaches(account, [machine(id)])).toEqual([]);
  expect(recordBreaches(account, [machine(GONE)])).toEqual([`AWSMachine a records ${GONE}, which does not exist`]);
});

it('conditions and objects that are being deleted may name what is gone', () => {
  const account = testAccount();
  const { id } = withInstance(account, {});
  const conditions = [{ type: 'InstanceReady', message: `${GONE} was terminated` }];
  const leaving = { metadata: { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect(recordBreaches(account, [machine(id, { status: { conditions } }), machine(GONE, leaving)])).toEqual([]);
});

it('networks and load balancers in a status must exist', () => {
  const account = testAccount();
  const vpc = withVpc(account);
  const cluster = (networkStatus: object) => ({
    object: {
      ...{ apiVersion: 'v1', kind: 'AWSCluster', metadata: { name: 'a' } },
      ...{ spec: { network: { vpc: { id: vpc.id } } }, status: { networkStatus } },
    } as KubeObject,
  });
  expect(recordBreaches(account, [cluster({})])).toEqual([]);
  expect(recordBreaches(account, [cluster({ apiServerElb: { dnsName: 'a.elb', name: 'a' } })])).toEqual([
    'AWSCluster a records a.elb, which does not exist',
  ]);
});
