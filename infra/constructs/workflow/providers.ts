import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import { hosts } from '../../../shared/providers/hosts/infrastructure.ts';
import { PROVIDED_STEPS, STEPS, type StepFunction } from '../../../shared/work/steps.ts';
import { CORE_FUNCTIONS, type CoreStepFunction, type OfFunctions } from '../../bundle/entries.ts';
import { stepTimeoutSeconds } from './step.ts';

/** The function of a provider that serves a step, and how long it may run. */
export interface ServedStep {
  lambda: IFunction;
  seconds: number;
}

/** A provider of infrastructure with its functions, by step. */
export interface ProviderFunctions {
  /** The name in the registry of providers. */
  name: string;
  steps: Readonly<Record<string, ServedStep>>;
}

const NAMES: readonly string[] = Object.values(PROVIDED_STEPS).flatMap((steps) => Object.keys(steps));

const servedBy = (name: StepFunction, lambda: IFunction): [string, ServedStep][] =>
  STEPS[name]
    .filter((step) => NAMES.includes(step))
    .map((step) => [step, { lambda, seconds: stepTimeoutSeconds(name) }]);

/**
 * The AWS provider: one function for each responsibility, so that none has more permissions than its own steps need.
 */
export const awsFunctions = (functions: OfFunctions<IFunction>): ProviderFunctions => ({
  name: aws.name,
  steps: Object.fromEntries(
    CORE_FUNCTIONS.filter((name): name is CoreStepFunction => name in STEPS).flatMap((name) =>
      servedBy(name, functions[name]),
    ),
  ),
});

/** The provider for hosts: it has one responsibility, and no AWS permissions except for its table and key. */
export const hostsFunctions = (lambda: IFunction): ProviderFunctions => ({
  name: hosts.name,
  steps: Object.fromEntries(servedBy('hosts', lambda)),
});
