import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { awsClusterTemplate } from './definition.ts';
import type { AWSClusterTemplate } from './schema.ts';

const withSpec = (spec: object): AWSClusterTemplate => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSClusterTemplate',
  metadata: { name: 'class' },
  spec: { template: { spec } },
});

describe('AWSClusterTemplate', () => {
  it('shows the defaults that its clusters will have', () => {
    expect(admit(awsClusterTemplate, withSpec({ region: 'eu-west-1' })).spec?.template.spec).toMatchObject({
      region: 'eu-west-1',
      identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
      controlPlaneLoadBalancer: { scheme: 'internet-facing' },
      network: { vpc: { availabilityZoneUsageLimit: 3 } },
    });
  });

  it('is immutable, but may be applied again unchanged', () => {
    const old = admit(awsClusterTemplate, withSpec({ region: 'eu-west-1' }));
    expect(refusals(awsClusterTemplate, withSpec({ region: 'eu-west-1' }), old)).toEqual([]);
    expect(refusals(awsClusterTemplate, withSpec({ region: 'eu-west-2' }), old)).toEqual([
      'spec: Invalid value: AWSClusterTemplate.Spec is immutable',
    ]);
  });

  it('refuses an invalid id of a carrier gateway, but keeps a stored one', () => {
    const template = (carrierGatewayId: string) => withSpec({ network: { vpc: { carrierGatewayId } } });
    expect(refusals(awsClusterTemplate, template('cagw-0123'))).toEqual([]);
    expect(refusals(awsClusterTemplate, template('gw-0123'))).toEqual([
      'spec.template.spec.network.vpc.carrierGatewayId: Invalid value: "gw-0123": Carrier Gateway ID must start with \'cagw-\'',
    ]);
    const admitted = JSON.stringify(admit(awsClusterTemplate, template('cagw-0123')));
    const old = JSON.parse(admitted.replace('cagw-', 'gw-')) as AWSClusterTemplate;
    expect(refusals(awsClusterTemplate, template('gw-0123'), old)).toEqual([]);
  });

  it('applies the rules for the bastion and for key names beneath spec.template.spec', () => {
    const bastion = { disableIngressRules: true, allowedCIDRBlocks: ['10.0.0.0/8'] };
    expect(refusals(awsClusterTemplate, withSpec({ bastion, sshKeyName: ' a' }))).toEqual([
      'spec.template.spec.bastion.allowedCIDRBlocks: Forbidden: cannot be set if spec.template.spec.bastion.disableIngressRules is true',
      expect.stringContaining('spec.template.spec.sshKeyName: Invalid value: " a"'),
    ]);
  });
});
