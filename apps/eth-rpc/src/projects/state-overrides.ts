import { isObject, member, type Params } from './params.js'

/**
 * Whether a call leaves the code of every account alone. What changes it makes of an allowed contract any other: `code` and
 * `movePrecompileToAddress` at once, `state` and `stateDiff` through a proxy, which keeps in its storage where its code is.
 * Balances and nonces are harmless. Any other member is refused too: nodes read names without regard to case, and learn new ones.
 */
export function keepsCode(method: string, params: Params): boolean {
  return (OVERRIDES.get(method)?.(params) ?? []).every(isHarmless)
}

const third = ([, , overrides]: Params) => [overrides]

const OVERRIDES: ReadonlyMap<string, (params: Params) => readonly unknown[]> = new Map([
  ['eth_call', third],
  ['eth_estimateGas', third],
  ['eth_createAccessList', third],
  ['eth_simulateV1', ofBlocks],
])

const HARMLESS: ReadonlySet<string> = new Set(['balance', 'nonce'])

function ofBlocks([simulation]: Params): readonly unknown[] {
  const blocks = member(simulation, 'blockStateCalls')
  if (!Array.isArray(blocks)) return []
  return blocks.filter(isObject).flatMap(({ calls, blockOverrides, ...others }) => Object.values(others))
}

/** The overrides by account, or none. */
function isHarmless(overrides: unknown): boolean {
  if (overrides === undefined || overrides === null) return true
  return isObject(overrides) && Object.values(overrides).every(isHarmlessAccount)
}

function isHarmlessAccount(override: unknown): boolean {
  return isObject(override) && Object.keys(override).every((name) => HARMLESS.has(name))
}
