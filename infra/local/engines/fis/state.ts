import type { Ec2 } from '../ec2/state.ts';
import type { Place } from '../wire/place.ts';
import type { TemplateInput } from './template.ts';

export interface ExperimentTemplate extends TemplateInput {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface Experiment {
  readonly id: string;
  readonly templateId: string;
  readonly state: { readonly status: 'completed' | 'failed'; readonly reason: string };
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The complete state of the simulated Fault Injection Service of one region. */
export interface Fis {
  readonly place: Place;
  readonly ec2: Ec2;
  readonly templates: Map<string, ExperimentTemplate>;
  readonly experiments: Map<string, Experiment>;
}

export const createFis = (place: Place, ec2: Ec2): Fis => ({
  place,
  ec2,
  templates: new Map(),
  experiments: new Map(),
});
