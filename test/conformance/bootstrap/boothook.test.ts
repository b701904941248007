import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it } from 'vitest';
import { boothook, CONFIGURATION_PATH, INCLUDED_PATH } from '../../../shared/providers/aws/plan/delivery/boothook.ts';
import { planDelivery } from '../../../shared/providers/aws/plan/delivery/plan.ts';
import { systemRandom } from '../../../shared/random.ts';
import { makeMachine } from './machine.ts';

/** Reads secrets from $ROOT/secrets. The first call fails, as on a machine that boots before its NAT gateway exists. */
const AWS = `
[ "$(grep -c "^aws" "$ROOT/calls")" -gt 1 ] || { echo "Could not connect" >&2; exit 255; }
while [ $# -gt 0 ]; do
  case "$1" in
  get-secret-value | delete-secret) verb="$1" ;;
  --secret-id) shift; name="$(basename "$1")" ;;
  esac
  shift
done
case "$verb" in
get-secret-value) base64 -w 0 "$ROOT/secrets/$name" ;;
delete-secret) [ ! -e "$ROOT/forbidden" ] && rm "$ROOT/secrets/$name" ;;
esac`;

const body = `## template: jinja\n#cloud-config\n# ${Buffer.from(systemRandom.bytes(20_000)).toString('base64')}\n`;
const plan = planDelivery({
  body,
  mode: 'secrets-manager',
  secretPrefix: 'aws.cluster.x-k8s.io/m',
  region: 'eu-west-1',
});
const script = boothook({
  store: 'secrets-manager',
  region: 'eu-west-1',
  secretPrefix: 'aws.cluster.x-k8s.io/m',
  chunks: plan.secrets.length,
  kind: 'configuration',
  hasInclude: true,
});

const machines: { dispose(): void }[] = [];
const machine = (cloudInit: string, secrets = plan.secrets) => {
  const made = makeMachine({ aws: AWS, 'cloud-init': `echo "/usr/bin/cloud-init ${cloudInit}"`, systemctl: '' });
  machines.push(made);
  for (const { name, data } of secrets) made.write(`secrets/${name.split('/')[1]}`, data);
  return made;
};
afterEach(() => {
  for (const made of machines.splice(0)) made.dispose();
});
const said = (calls: string[], word: string): string[] => calls.filter((call) => call.includes(word));

describe('boothook', () => {
  it('runs what the user data contains', () => {
    expect(Buffer.from(plan.userData, 'base64').toString()).toContain(script);
  });

  it('fetches, joins and deletes all chunks, and leaves the document to cloud-init as configuration', () => {
    const it = machine('24.4-0ubuntu1~24.04.2');

    const { code, output } = it.run(script);

    expect(code).toBe(0);
    expect(output).toContain('cannot read chunk 0 yet');
    expect(it.read(CONFIGURATION_PATH)).toBe(body);
    expect(it.mode(CONFIGURATION_PATH)).toBe(0o600);
    expect(said(it.calls(), 'delete-secret')).toHaveLength(plan.secrets.length);
    expect(said(it.calls(), '--region eu-west-1').length).toBeGreaterThan(2 * plan.secrets.length);
    expect(said(it.calls(), 'systemctl')).toEqual([]);
    expect(it.read('secrets/m-0')).toBeUndefined();
  });

  it.each(['22.2.2', '20.1-10-g71af48df-0ubuntu5'])(
    'restarts cloud-init %s, which then includes the document',
    (version) => {
      const it = machine(version);

      expect(it.run(script).code).toBe(0);
      expect(it.read(INCLUDED_PATH)).toBe(body);
      expect(it.read(CONFIGURATION_PATH)).toBeUndefined();
      expect(said(it.calls(), 'systemctl')).toEqual(['systemctl restart cloud-init']);
    },
  );

  it.each(['25.1.4', '22.4'])('does nothing on a later boot with cloud-init %s', (version) => {
    const it = machine(version);
    it.run(script);
    const before = it.calls().length;

    expect(it.run(script)).toMatchObject({ code: 0, output: expect.stringContaining('already') });
    expect(it.calls().length).toBe(before);
  });

  it('deletes nothing if the data is damaged', () => {
    const damaged = plan.secrets.map(({ name, data }) => ({ name, data: data.map((byte) => byte ^ 1) }));
    const it = machine('24.4', damaged);

    expect(it.run(script)).toMatchObject({ code: 1, output: expect.stringContaining('damaged') });
    expect(said(it.calls(), 'delete-secret')).toEqual([]);
    expect(it.read(CONFIGURATION_PATH)).toBeUndefined();
  });

  it('continues if it may not delete the secrets, and reports that', () => {
    const it = machine('24.4');
    it.write('forbidden', '');

    expect(it.run(script)).toMatchObject({
      code: 0,
      output: expect.stringContaining('leaving it to the control plane'),
    });
    expect(it.read(CONFIGURATION_PATH)).toBe(body);
  });
});
