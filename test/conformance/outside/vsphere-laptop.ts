/** Starts the laptop, the vSphere provider and the simulated vCenter for the tests of this suite. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifests } from '../../../infra/cli/apply/manifest.ts';
import { kubeconfigText } from '../../../infra/cli/kubeconfig/kubeconfig.ts';
import type { VspherePrograms } from '../../../infra/cli/vsphere/programs.ts';
import { startVsphere, type Vsphere } from '../../../infra/cli/vsphere/vsphere.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { silentLog } from '../../../shared/log.ts';
import { TEST_SUBNET } from '../../../shared/test-subnet.ts';
import { CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

const EXAMPLE = 'examples/vsphere.yaml';
export const GROUP = '/apis/infrastructure.cluster.x-k8s.io/v1beta1';
export const NAMESPACED = `${GROUP}/namespaces/default`;
export const SECRETS = '/api/v1/namespaces/default/secrets';
export const KINDS = ['vsphereclusters', 'vspheremachines', 'vspherevms', 'vspheremachinetemplates'];

/** Changes the JSON of an object of the example. */
export type Change = (text: string) => string;

/** Undefined if a program is missing. */
export const programs = ((): VspherePrograms | undefined => {
  const { WINDLASS_VSPHERE_PROVIDER: provider, WINDLASS_VSPHERE_SIMULATOR: simulator } = process.env;
  return provider && simulator ? { provider, simulator } : undefined;
})();

export interface VsphereLaptop extends TestLaptop {
  vsphere: Vsphere;
  /**
   * Applies the example's objects of these kinds, by default of all, with the changes that a test needs. Returns the
   * refusals.
   */
  applyExample(change?: Change, kinds?: readonly string[]): Promise<string[]>;
  patch(path: string, body: object): Promise<unknown>;
  /** Waits until this many machines exist in a cluster and all of them are ready. Returns the machines. */
  untilMachines(cluster: string, count: number): Promise<Machine[]>;
  /** Waits until the condition InfrastructureReady of a cluster matches `expected`. Returns its text. */
  untilInfrastructure(cluster: string, expected: RegExp): Promise<string>;
  untilNoMachines(): Promise<void>;
  /** Deletes a cluster and waits until it is gone. */
  deleteCluster(name: string): Promise<void>;
}

/** Waits like the laptop's `until`. If the wait fails, it reports the state of the objects, consoles and provider. */
const untilOr =
  (laptop: TestLaptop, vsphere: Vsphere): TestLaptop['until'] =>
  async (what, look) => {
    try {
      return await laptop.until(what, look);
    } catch (error) {
      const paths = [
        ...['clusters', 'machines'].map((kind) => `${CORE}/${kind}`),
        ...KINDS.map((kind) => `${NAMESPACED}/${kind}`),
      ];
      const objects = await Promise.all(paths.map((path) => laptop.list<KubeObject>(path)));
      const consoles = vsphere.vcenter.machines().map(({ name }) => vsphere.machines.console(name).slice(-5));
      const said = [JSON.stringify(objects.flat()), JSON.stringify(consoles), vsphere.provider.said()];
      throw new Error(said.join('\n'), { cause: error });
    }
  };

const around = (laptop: TestLaptop, vsphere: Vsphere, stop: () => Promise<void>): VsphereLaptop => {
  const until = untilOr(laptop, vsphere);
  const here = (object: KubeObject, change: Change): KubeObject => {
    const text = JSON.stringify(object).replaceAll('127.0.67', TEST_SUBNET);
    return JSON.parse(change(text.replaceAll('127.0.0.1:8989', vsphere.vcenter.address))) as KubeObject;
  };
  return {
    ...laptop,
    ...{ vsphere, until, stop },
    applyExample: (change = (text) => text, only) =>
      laptop.apply(
        readManifests(EXAMPLE)
          .filter(({ object }) => !only || only.includes(object.kind))
          .map((manifest) => ({ ...manifest, object: here(manifest.object, change) })),
      ),
    patch: (path, body) => laptop.api.send('PATCH', path, body, 'application/merge-patch+json'),
    untilMachines: (cluster, count) =>
      until(`${count} machines are ready`, async () => {
        const machines = await laptop.machines(cluster);
        const areReady = machines.every((machine) => conditionOf(machine, 'Ready')?.status === 'True');
        return machines.length === count && areReady && machines;
      }),
    untilInfrastructure: (cluster, expected) =>
      until(`${cluster} reports ${expected}`, async () => {
        const { status, reason, message } = conditionOf(await laptop.cluster(cluster), 'InfrastructureReady') ?? {};
        const said = `${status} ${reason}: ${message}`;
        return expected.test(said) && said;
      }),
    untilNoMachines: async () => {
      await until('the vCenter has no machine', async () => vsphere.vcenter.machines().length === 0);
    },
    deleteCluster: async (name) => {
      await laptop.api.send('DELETE', `${CORE}/clusters/${name}`);
      await until(`${name} is gone`, async () => (await laptop.cluster(name)) === undefined);
    },
  };
};

/** Starts everything; called once per test file. */
export const startVsphereLaptop = async (given: VspherePrograms): Promise<VsphereLaptop> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-vsphere-'));
  const laptop = await startTestLaptop();
  const end = async (): Promise<void> => {
    await laptop.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const kubeconfig = join(home, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigText(laptop.access), { mode: 0o600 });
    const place = { api: laptop.api, kubeconfig, home, programs: given };
    const vsphere = await startVsphere({ ...place, listen: '127.0.0.1:0', bootMilliseconds: 100, log: silentLog });
    const stop = async (): Promise<void> => {
      await vsphere.stop();
      await end();
    };
    return around(laptop, vsphere, stop);
  } catch (error) {
    await end();
    throw error;
  }
};
