import { labelValueOf } from '../../../shared/kinds/rules/names.ts';
import { type Fact, factsOf, type Owner } from './facts.ts';
import type { ClusterSnapshot } from './snapshot.ts';
import { momentOf, type Timeline } from './timeline.ts';
import { type Replicas, replicasOf, shareOf } from './verdict.ts';

export type Mark = 'done' | 'busy' | 'failed';

/** One line of the tree with its children. */
export interface Row {
  /** Undefined for a line that only groups other lines. */
  mark?: Mark;
  label: string;
  /** A phase, a number or an id. */
  state: string;
  detail: string;
  /** What it waits for. */
  why: string;
  /** Its duration so far or in total. */
  seconds?: number;
  children: readonly Row[];
}

/** The view of a cluster for the user. */
export interface ClusterView {
  name: string;
  share: number;
  tree: Row;
}

const markOf = ({ done, failed }: Fact): Mark => (failed ? 'failed' : done ? 'done' : 'busy');

const labelOf = ({ subject, step }: Fact): string => step || (subject.split(' ').at(-1) ?? subject);

/** All facts about one owner, below a line with its name. */
const branch = (label: string, state: string, children: readonly Row[]): Row => ({
  label,
  state,
  detail: '',
  why: '',
  children,
});

const countOf = ({ running, wanted }: Replicas): string => `${running} of ${wanted} Running`;

const ownerOf = ({ kind, name }: Replicas): Owner => {
  if (kind === 'MachinePool') return `pool/${labelValueOf(name)}`;
  return kind === 'MachineDeployment' ? `deployment/${name}` : 'controlPlane';
};

/** The tree of a cluster at `now`, in seconds since the start: infrastructure, control plane, deployments, pools. */
export const viewOf = (snapshot: ClusterSnapshot, timeline: Timeline, now: number): ClusterView => {
  const facts = factsOf(snapshot);

  const rowOf = (fact: Fact, children: readonly Row[] = []): Row => {
    const { since, done } = momentOf(timeline, snapshot, fact.key, now);
    const { why } = fact;
    // A waiting step shows its reason; a machine also shows its phase.
    const state = fact.step === '' ? fact.state : fact.done || why ? '' : fact.state;
    const detail = fact.done ? fact.detail : '';
    return {
      mark: markOf(fact),
      label: labelOf(fact),
      state,
      detail,
      why,
      seconds: (done ?? now) - since,
      children,
    };
  };
  const rowsOf = (owner: Owner): Row[] => facts.filter((fact) => fact.owner === owner).map((fact) => rowOf(fact));

  const { infrastructure, name } = snapshot;
  const owners = replicasOf(snapshot).map((replicas) => {
    return branch(`${replicas.kind} ${replicas.name}`, countOf(replicas), rowsOf(ownerOf(replicas)));
  });
  const network = infrastructure
    ? [branch(`AWSCluster ${infrastructure.metadata.name}`, '', rowsOf('infrastructure'))]
    : [];
  const [root] = facts.filter(({ owner }) => owner === 'cluster').map((fact) => rowOf(fact, [...network, ...owners]));
  const tree = { ...(root ?? branch('', '', [])), label: `Cluster ${name}` };
  return { name, share: shareOf(snapshot), tree };
};
