/** The answer of each implementation to a question. */
export interface Answers {
  ours: string;
  moto: string;
  ministack: string;
}
