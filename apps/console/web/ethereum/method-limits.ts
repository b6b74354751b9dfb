import type { Project } from '@trestle/contracts/eth-rpc/projects'

type MethodLimits = NonNullable<Project['limits']['methods']>

/** As they are typed: `eth_getLogs=5`. */
export function methodLimitEntries(limits: MethodLimits = []): string[] {
  return limits.map(({ method, perSecond }) => `${method}=${perSecond}`)
}

/** What is no entry is sent as it is: the platform says what is wrong with it. */
export function methodLimitsBody(entries: readonly string[]): MethodLimits {
  return entries.map((entry) => {
    const [method = '', calls = ''] = entry.split('=')
    return { method: method.trim(), perSecond: calls.trim() === '' ? Number.NaN : Number(calls) }
  })
}
