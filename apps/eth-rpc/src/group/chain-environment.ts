import type { EvmChain } from '@trestle/contracts/chains/chain'

type Environment = Readonly<Record<string, string | undefined>>

/** What one chain has and no other, so that the group's own value is none of theirs. */
const OF_ONE_CHAIN = [
  ...['CHAINS', 'CHAIN', 'DEPLOYMENT', 'CHAIN_ID', 'NETWORK_ID', 'FINALITY_DEPTH', 'BASE_PATH', 'PORT', 'INTERNAL_PORT'],
  ...['UPSTREAMS', 'UPSTREAMS_FILE', 'DATABASE_URL', 'DATABASE_URL_FILE', 'NATS_NKEY_SEED', 'NATS_NKEY_SEED_FILE'],
]
const INTERNAL_PORT_OFFSET = 1000

/** The chains that a process group serves; none where it serves the one that `CHAIN` names. */
export function groupedChains({ CHAINS = '' }: Environment): readonly string[] {
  const names = CHAINS.split(',').map((name) => name.trim())
  const chains = names.filter((name) => name !== '')
  const twice = chains.find((name, place) => chains.indexOf(name) !== place)
  if (twice !== undefined) throw new Error(`The environment is not valid:\n  CHAINS: ${twice} is listed twice`)
  return chains
}

/**
 * The environment of one chain of a group, as of a deployment of its own: a variable with its name in front (`BASE_UPSTREAMS`) in place of the
 * one for all.
 */
export function environmentOf(
  { name, port }: Pick<EvmChain, 'name' | 'port'>,
  source: Environment,
  { variables, chains }: { readonly variables: readonly string[]; readonly chains: number },
): Record<string, string> {
  const prefix = `${name.toUpperCase().replaceAll('-', '_')}_`
  // BASE_PATH is no variable of base, nor INTERNAL_PORT of a chain called internal.
  const names = variables.flatMap((variable) => [variable, `${variable}_FILE`]).filter((variable) => !variables.includes(prefix + variable))
  const own = names.map((variable) => [variable, source[prefix + variable]])
  const cacheMb = Math.max(1, Math.floor(Number(source.CACHE_MB || DEFAULT_CACHE_MB) / chains))
  return given({
    ...source,
    // Empty is as good as none, also in a process that inherits another value.
    ...Object.fromEntries(OF_ONE_CHAIN.map((variable) => [variable, ''])),
    ...{ CHAIN: name, BASE_PATH: `/${name}`, PORT: String(port), INTERNAL_PORT: String(port + INTERNAL_PORT_OFFSET) },
    ...{ CACHE_MB: String(cacheMb), WORKERS: source.WORKERS || '1' },
    ...given(Object.fromEntries(own.filter(([, value]) => value))),
  })
}

const DEFAULT_CACHE_MB = 256

function given(environment: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
