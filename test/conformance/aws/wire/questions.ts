import { BALANCER_QUESTIONS } from './balancer-questions.ts';
import { GROUP_QUESTIONS } from './group-questions.ts';
import { INSTANCE_QUESTIONS } from './instance-questions.ts';
import { NETWORK_QUESTIONS } from './network-questions.ts';
import { OTHER_QUESTIONS, SECRET_QUESTIONS } from './other-questions.ts';
import { POOL_QUESTIONS } from './pool-questions.ts';
import type { Question } from './question.ts';
import { TEMPLATE_QUESTIONS } from './template-questions.ts';

export const QUESTIONS: readonly Question[] = [
  ...NETWORK_QUESTIONS,
  ...GROUP_QUESTIONS,
  ...INSTANCE_QUESTIONS,
  ...BALANCER_QUESTIONS,
  ...SECRET_QUESTIONS,
  ...OTHER_QUESTIONS,
  ...TEMPLATE_QUESTIONS,
  ...POOL_QUESTIONS,
];
