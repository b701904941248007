import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';

/** On a Cluster: its parts that are reconciled by Cluster API's controllers, which run elsewhere. */
export const RECONCILED_OUTSIDE = 'windlass.dev/reconciled-outside';

const PARTS = ['Bootstrap', 'ControlPlane'] as const;
export type OutsidePart = (typeof PARTS)[number];

const partsIn = (text: string): string[] => text.split(',').map((part) => part.trim());

const isPart = (part: string): part is OutsidePart => (PARTS as readonly string[]).includes(part);

export const outsideParts = z.string().refine((text) => partsIn(text).every(isPart), {
  error: `must be a list of ${PARTS.join(' and ')}, separated by commas`,
});

/** The parts that an annotation of the Cluster names. */
export const outsidePartsOf = ({ metadata }: Pick<KubeObject, 'metadata'>): OutsidePart[] =>
  partsIn(metadata.annotations?.[RECONCILED_OUTSIDE] ?? '').filter(isPart);
