/** Calls of a method, or of all that a pattern means together. */
export interface MethodLimit {
  readonly method: string
  readonly perSecond: number
}

/** What a project limits besides its compute units. */
export interface CallLimits {
  /** Left out: no method. */
  readonly methods?: readonly MethodLimit[]
  /** Calls a second for each address that calls. */
  readonly perAddress?: number
  /** Transactions a minute for each address that signs. */
  readonly perSender?: number
  /** Calls a second for each subject of foreign tokens. */
  readonly perCaller?: number
}

/** null: none any more; of no method where the list is empty. */
export interface CallLimitsChange {
  readonly methods?: readonly MethodLimit[]
  readonly perAddress?: number | null
  readonly perSender?: number | null
  readonly perCaller?: number | null
}

export function changedCallLimits(before: CallLimits, { methods = before.methods, ...change }: CallLimitsChange): CallLimits {
  const changed = <T>(now: T | null | undefined, then: T | undefined) => (now === undefined ? then : (now ?? undefined))
  return {
    methods: methods?.length ? methods : undefined,
    perAddress: changed(change.perAddress, before.perAddress),
    perSender: changed(change.perSender, before.perSender),
    perCaller: changed(change.perCaller, before.perCaller),
  }
}

/** As they are in the row of a project. */
export function callLimitColumns({ methods = [], perAddress, perSender, perCaller }: CallLimits) {
  return {
    limitedMethods: methods.map(({ method }) => method),
    methodLimits: methods.map(({ perSecond }) => perSecond),
    perAddress: perAddress ?? null,
    perSender: perSender ?? null,
    perCaller: perCaller ?? null,
  }
}

export function callLimitsIn({ limitedMethods, methodLimits, ...rates }: ReturnType<typeof callLimitColumns>): CallLimits {
  const methods = limitedMethods.map((method, index) => ({ method, perSecond: methodLimits[index] ?? 1 }))
  return changedCallLimits({}, { methods, ...rates })
}
