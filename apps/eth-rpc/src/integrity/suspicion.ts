/** What speaks against a result. */
export type Suspicion =
  /** It is not about what was asked for. */
  | 'wrong'
  /** Another upstream may know more, or be on our branch. Where two say the same, it is believed. */
  | 'doubtful'
  /** The same, of blocks so new that several upstreams may lack their logs. */
  | 'early'
