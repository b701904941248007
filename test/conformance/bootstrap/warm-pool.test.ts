import { afterEach, describe, expect, it } from 'vitest';
import { WARM_PLACES } from '../../../shared/bootstrap/kubeadm/places.ts';
import { kubeadmSetup } from '../../../shared/bootstrap/kubeadm/setup.ts';
import { inputOf } from './cases.ts';
import { makeMachine } from './machine.ts';

/** Answers each request for the state with the next line of `$ROOT/states`, and fails for an empty line. */
const CURL = `
case "$*" in
*--request\\ PUT*169.254.169.254/latest/api/token) echo TOKEN ;;
*X-aws-ec2-metadata-token:\\ TOKEN*meta-data/autoscaling/target-lifecycle-state)
  state="$(head -n 1 "$ROOT/states")"
  sed -i 1d "$ROOT/states"
  [ -n "$state" ] || exit 22
  printf '%s' "$state" ;;
*) exit 7 ;;
esac`;

const machines: { dispose(): void }[] = [];
afterEach(() => {
  for (const made of machines.splice(0)) made.dispose();
});

const worker = inputOf('worker', '1.34.0', { postKubeadmCommands: ['echo after > /etc/after'] });
const { files, commands } = kubeadmSetup({ ...worker, joinsInService: true } as typeof worker, WARM_PLACES);
const textOf = (name: string): string => files.find(({ path }) => path.endsWith(name))?.content ?? '';

/** A machine whose instance metadata returns these states one after the other. */
const machineWith = (states: readonly string[]) => {
  const made = makeMachine({ curl: CURL, kubeadm: '', sleep: '' });
  machines.push(made);
  made.write('states', `${states.join('\n')}\n`);
  for (const { path, content } of files)
    if (path.startsWith('/etc/windlass/')) made.writeScript(path.slice(1), content);
  return made;
};

describe('an instance of a warm pool, with a real shell', () => {
  it('joins once its target state is InService, whatever it was before', () => {
    const machine = machineWith(['', 'Warmed:Stopped', 'Warmed:Stopped', 'InService', 'Terminated']);
    const { code, output } = machine.run(textOf('join-in-service.sh'));
    expect([code, output]).toEqual([0, '']);
    const calls = machine.calls().filter((call) => !call.startsWith('curl'));
    expect(calls).toEqual(['sleep 0', 'sleep 0', 'sleep 0', expect.stringMatching(/^kubeadm join --config .*yaml$/)]);
    expect(machine.read('etc/windlass/kubeadm.yaml')).toBeUndefined();
    expect(machine.read('run/cluster-api/bootstrap-success.complete')).toBe('success\n');
    expect(machine.read('etc/after')).toBe('after\n');
  });

  it('is prepared by one command at the end, which does not wait for the join', () => {
    expect(commands).toEqual(['systemctl daemon-reload && systemctl enable --now --no-block windlass-join.service']);
  });
});
