/** Each implementation's answer to a question. */
export interface Answers {
  ours: string;
  moto: string;
  ministack: string;
}
