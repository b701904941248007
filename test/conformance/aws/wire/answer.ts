/** What each implementation answers to a question. */
export interface Answers {
  ours: string;
  moto: string;
  ministack: string;
}
